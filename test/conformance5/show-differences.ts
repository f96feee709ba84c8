// For people at work: `npx tsx test/conformance5/show-differences.ts filters sort` prints what differs, and why; the
// flags are those of `../conformance/show-differences.ts`. Without areas: all of them.

import { printDifferences } from '../conformance/print-differences.ts'
import { strapi5 } from './strapi-5.ts'

await printDifferences(strapi5)

// For people at work: `npx tsx test/conformance/show-differences.ts filters sort` prints what differs, and why.
// With `--all` deviations too; with `--case filters-001` one case with both answers; `--allow` takes the differences of
// all cases that a ruling covers into `allowed/`.

import { printDifferences } from './print-differences.ts'
import { strapi4 } from './strapi-4.ts'

await printDifferences(strapi4)

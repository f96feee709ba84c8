// Where our GraphQL differs from the recorded answers on purpose; see `deviations.ts`. A GraphQL error has status 200
// where the operation ran, 400 where it did not.

import type { Ruling } from '../conformance/deviations.ts'

export const graphqlRulings: Readonly<Record<string, Ruling>> = {}

// Where our REST answers differ on purpose; see `deviations.ts`.

import type { Ruling } from '../conformance/deviations.ts'

export const restRulings: Readonly<Record<string, Ruling>> = {}

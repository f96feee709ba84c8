// Where the dialect strapi-5 differs from the recorded answers on purpose; the form is that of
// `../conformance/deviations.ts`.

import type { Ruling } from '../conformance/deviations.ts'
import { graphqlRulings } from './graphql-deviations.ts'
import { restRulings } from './rest-deviations.ts'

export const rulings: Readonly<Record<string, Ruling>> = { ...restRulings, ...graphqlRulings }

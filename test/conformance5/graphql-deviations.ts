// Where our GraphQL differs from the recorded answers on purpose; see `deviations.ts`. A GraphQL error has status 200
// where the operation ran, 400 where it did not.

import type { Ruling } from '../conformance/deviations.ts'

const RAN = [200]
const REFUSED = [400]

export const graphqlRulings: Readonly<Record<string, Ruling>> = {
  'graphql-password-hash': {
    reason: 'a password is answered by no door, and stands in no filter',
    statuses: REFUSED,
    cases: ['graphql-query-037', 'graphql-filters-087', 'graphql-filters-118'],
  },
  'graphql-morph-broken': { reason: 'polymorphic relations are answered', statuses: RAN },
  'graphql-localizations-duplicates': {
    reason: 'localizations are the other locales of the version that was written, each once',
    statuses: RAN,
  },
  'graphql-internal-error': {
    reason: 'the recorded server failed; we answer, or say what is wrong with the request',
    statuses: [200, 400],
  },
  'graphql-sqlite-like-case': {
    reason: 'case-sensitive operators are, on every database',
    statuses: RAN,
    cases: [
      ...['graphql-filters-006', 'graphql-filters-009', 'graphql-filters-010', 'graphql-filters-032'],
      ...['graphql-filters-085', 'graphql-filters-099'],
    ],
  },
  'graphql-between-moments': {
    reason: 'between two moments means between them; the recorded server compared numbers with text',
    statuses: RAN,
    cases: ['graphql-filters-073'],
  },
  'graphql-localizations-filter': {
    reason: 'a filter on localizations is met by other locales, and answers each entry once',
    statuses: RAN,
    cases: ['graphql-filters-128'],
  },
  'graphql-foreign-component': {
    reason: 'a zone takes the components it lists',
    statuses: REFUSED,
    cases: ['graphql-mutation-039'],
  },
  'graphql-explorer': {
    reason: 'the explorer is GraphiQL, and all of it comes from this server',
    statuses: RAN,
    cases: ['graphql-protocol-044'],
  },
  'graphql-introspection-words': {
    reason: 'the sentence names the option of this server that allows introspection',
    statuses: REFUSED,
    cases: ['variant-production-006', 'variant-production-008'],
  },
  'graphql-suggestions': {
    reason: 'in production errors do not tell names of the schema, which may not be asked for there',
    statuses: REFUSED,
    cases: ['variant-production-017'],
  },
  'graphql-upper-case-path': {
    reason: 'paths are exact',
    statuses: [404],
    cases: ['graphql-protocol-055'],
  },
  'words-about-null': {
    reason: 'a sentence says what is wrong with null, in place of a word of the program',
    statuses: REFUSED,
    cases: ['users-093'],
  },
  'account-values-stay': {
    reason: 'a refusal of a login, a registration or a new password does not repeat passwords or codes',
    statuses: [200, 400],
    cases: ['auth-048', 'auth-050', 'auth-079', 'graphql-auth-016', 'graphql-auth-024', 'graphql-auth-029'],
  },
}

// Where our GraphQL differs from the recorded answers on purpose; see `deviations.ts`. A GraphQL error has status 200
// where the operation ran, 400 where it did not.

import type { Ruling } from './deviations.ts'

const RAN = [200]
const REFUSED = [400]

export const graphqlRulings: Readonly<Record<string, Ruling>> = {
  'graphql-findone-missing-id': { reason: 'no id, no entry', statuses: RAN },
  'graphql-password-hash': { reason: 'a password is answered by no door', statuses: REFUSED },
  'graphql-page-without-pagesize': { reason: 'a page without a size has the usual one', statuses: RAN },
  'graphql-pagination-null': { reason: 'null is as if nothing were said', statuses: RAN },
  'graphql-private-in-inputs': {
    reason: 'private attributes and passwords stand in no filter',
    statuses: REFUSED,
    cases: ['graphql-filters-087'],
  },
  'graphql-filter-and-or-in-scalar': { reason: 'the schema offers them: they work', statuses: RAN },
  'graphql-sqlite-like-case': {
    reason: 'case-sensitive operators are, on every database',
    statuses: RAN,
    cases: [
      ...['graphql-filters-006', 'graphql-filters-009', 'graphql-filters-010', 'graphql-filters-032'],
      ...['graphql-filters-085', 'graphql-filters-099'],
    ],
  },
  'graphql-middlewares-before-policies': {
    reason: 'policies come before middlewares: no middleware gets round one',
    statuses: RAN,
  },
  'graphql-morph-broken': { reason: 'polymorphic relations are answered', statuses: RAN },
  'graphql-delete-missing-single': {
    reason: 'what is not there is a NotFoundError, of every kind of type',
    statuses: RAN,
  },
  'graphql-deleted-as-it-was': {
    reason: 'a deleted entry is answered as it was, relations too',
    statuses: RAN,
    cases: ['graphql-mutation-063'],
  },
  'graphql-toone-draft': { reason: 'live answers hide related drafts', statuses: RAN },
  'graphql-locale-null': { reason: 'an unknown locale is an error wherever it stands', statuses: [200, 400] },
  'graphql-explorer': {
    reason: 'the explorer is GraphiQL, and all of it comes from this server',
    statuses: RAN,
    cases: ['graphql-protocol-044', 'variant-gql-endpoint-003'],
  },
  'graphql-depth-zero': {
    reason: 'a depthLimit of 0 is none, as the reference of cms.yaml says',
    statuses: RAN,
    cases: ['variant-gql-endpoint-005'],
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
  'graphql-noshadow-empty': {
    reason: 'without shadow CRUD the operations of plugins stay',
    statuses: [200, 400],
  },
  'upload-folders': {
    reason: 'folders belong to the administration, which is not here',
    statuses: REFUSED,
    cases: ['graphql-nested-035'],
  },
}

/** An internal error was never an interface, whatever its status. */
export const internalError: Ruling = {
  reason: 'the recorded server failed; we answer, or say what is wrong with the request',
  statuses: [200, 400],
}

// Where our REST answers differ on purpose; see `deviations.ts`. What was ruled for Strapi 4 holds here as well.

import { rulings as ofStrapi4, type Ruling } from '../conformance/deviations.ts'

const REFUSED = [400]
const WORKS = [200, 201]

const ofDocuments: Readonly<Record<string, Ruling>> = {
  'status-unknown-is-draft': {
    reason: 'a mistyped status must not show or change drafts',
    statuses: [200, 400],
    cases: ['draft-publish-018', 'draft-publish-019', 'draft-publish-021', 'draft-publish-023'],
  },
  'delete-draft-500': { reason: 'a draft is not deleted alone: refused, and nothing is', statuses: REFUSED },
  'publish-with-fields-loses-relations': {
    reason: 'what an answer shows does not decide what is stored',
    statuses: WORKS,
    cases: ['draft-publish-203'],
  },
  'unconfigured-locale-created': {
    reason: 'a locale that the file does not list is refused, as in GraphQL',
    statuses: REFUSED,
    cases: ['draft-publish-171', 'i18n-051'],
  },
  'morphtoone-not-writable': {
    reason: 'a relation that can be read can be written',
    statuses: [200, 201, 400],
    cases: ['populate-154', 'populate-156', 'populate-158', 'populate-163'],
  },
  'morph-empty-set-ignored': { reason: 'an empty list empties', statuses: WORKS },
  'i18n-relations-not-synced': { reason: 'each locale has its own relations', statuses: WORKS },
  'q-searches-document-id': {
    reason: 'a search finds a whole documentId, not words that happen to be in one',
    statuses: WORKS,
  },
  'q-searches-private': { reason: 'nothing finds what is private', statuses: WORKS },
  'json-stored-as-text': {
    reason: 'a JSON text is stored once, not as the text of a text',
    statuses: WORKS,
    cases: [
      ...['rest-find-023', 'rest-find-107', 'rest-findone-014', 'filters-433', 'rest-update-019'],
      ...['rest-update-020', 'rest-create-065'],
    ],
  },
  'json-as-sent': {
    reason: 'a JSON value comes back as it was sent: text stays text, false stays false',
    statuses: WORKS,
    cases: ['rest-coercion-146', 'rest-coercion-151'],
  },
  'password-values-stay': {
    reason: 'a refused password is not repeated',
    statuses: REFUSED,
    cases: ['validation-046', 'validation-048', 'validation-079', 'validation-109', 'rest-coercion-186'],
  },
  'zone-own-components': {
    reason: 'the message names the components that the zone takes, not all that there are',
    statuses: REFUSED,
    cases: ['validation-098', 'components-payload-045', 'v4-format-451'],
  },
  'refused-list-as-sent': {
    reason:
      'a list that was refused is repeated as it was sent: its components were never stored, and have no ids',
    statuses: REFUSED,
    cases: ['components-payload-031'],
  },
}

export const restRulings: Readonly<Record<string, Ruling>> = { ...ofStrapi4, ...ofDocuments }

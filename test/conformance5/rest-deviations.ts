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
  },
  'morphs-follow-status': {
    reason:
      'polymorphic relations show what is published, each document once; the recorded server showed drafts',
    statuses: WORKS,
    cases: [
      ...['populate-046', 'populate-150', 'populate-152', 'populate-154', 'populate-155', 'populate-156'],
      ...['populate-158', 'populate-163', 'v4-format-250', 'v4-format-354', 'v4-format-356', 'v4-format-358'],
      ...['v4-format-359', 'v4-format-360', 'v4-format-362', 'v4-format-365', 'v4-format-465', 'upload-011'],
      ...['upload-021', 'files-v5-007'],
    ],
  },
  'morphs-take-fields': {
    reason: 'fields below a polymorphic relation are read; the recorded server left the relation out',
    statuses: WORKS,
    cases: ['populate-197', 'v4-format-391'],
  },
  'morph-many': {
    reason: 'a morphMany over a morphToOne is answered, and its type can be published',
    statuses: WORKS,
    cases: ['variant-morph-many-001', 'variant-morph-many-005'],
  },
  'zone-member-star': {
    reason: '* below a component of `on` is all of its members, as at the root',
    statuses: WORKS,
    cases: ['populate-138', 'v4-format-342'],
  },
  'nested-localizations': {
    reason:
      'localizations are all other locales at every depth; the recorded server lost some below the first',
    statuses: WORKS,
    cases: ['populate-186', 'v4-format-385'],
  },
  'answer-after-all-writes': {
    reason:
      'an answer shows what is stored; the recorded server answered before other locales were brought in step',
    statuses: WORKS,
    cases: ['i18n-090'],
  },
  'images-by-another-encoder': {
    reason: 'smaller formats of images are made by another version of the encoder: their sizes differ',
    statuses: WORKS,
    cases: ['upload-079', 'upload-082', 'upload-084'],
  },
  'files-that-were-refused': {
    reason: 'files that the recorded server stored and that are refused here are not in the list',
    statuses: WORKS,
    cases: ['upload-078'],
  },
  'morph-empty-set-ignored': { reason: 'an empty list empties', statuses: WORKS },
  'i18n-relations-not-synced': { reason: 'each locale has its own relations', statuses: WORKS },
  'q-searches-document-id': {
    reason: 'a search finds a whole documentId, not words that happen to be in one',
    statuses: WORKS,
    cases: ['v4-format-040'],
  },
  'q-searches-private': { reason: 'nothing finds what is private', statuses: WORKS },
  'json-stored-as-text': {
    reason: 'a JSON text is stored once, not as the text of a text',
    statuses: WORKS,
    cases: [
      ...['rest-find-023', 'rest-find-107', 'rest-findone-014', 'filters-433', 'rest-update-019'],
      ...['rest-update-020', 'rest-create-065', 'v4-format-035', 'v4-format-059', 'sort-075', 'filters-430'],
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
  'no-source-maps': {
    reason:
      'no invisible characters in values: they lead back to the form of the admin panel, which there is not',
    statuses: WORKS,
    cases: ['source-maps-001'],
  },
  'refused-list-as-sent': {
    reason:
      'a list that was refused is repeated as it was sent: its components were never stored, and have no ids',
    statuses: REFUSED,
    cases: ['components-payload-031'],
  },
}

/** What was ruled for Strapi 4, with the cases of Strapi 5 that show it without saying so. */
function alsoIn(key: keyof typeof ofStrapi4 & string, ...cases: readonly string[]): Record<string, Ruling> {
  const ruling = ofStrapi4[key]
  if (ruling === undefined) throw new Error(`there is no ruling ${key}`)
  return { [key]: { ...ruling, cases: [...(ruling.cases ?? []), ...cases] } }
}

export const restRulings: Readonly<Record<string, Ruling>> = {
  ...ofStrapi4,
  ...ofDocuments,
  ...alsoIn('long-lists', 'query-string-009', 'query-string-011'),
  ...alsoIn('q-like-escaping', 'v4-format-037'),
  ...alsoIn('query-too-deep', 'v4-format-389'),
  ...alsoIn('populate-mixes', 'v4-format-241'),
  ...alsoIn('sqlite-like-case', 'filters-158'),
  ...alsoIn('text-plain-405', 'i18n-065'),
  'part-without-type': {
    ...(ofStrapi4['part-without-type'] as Ruling),
    statuses: [201],
  },
}

// Where we differ from the recorded answers on purpose: one ruling each, with its reason and the statuses our answer
// may have then; whatever else comes is a failure. The recorded cases name the quirk they show; `cases` are those
// that show it without saying so.

import { graphqlRulings, internalError } from './graphql-deviations.ts'
import type { RecordedCase } from './recorded-case.ts'

export interface Ruling {
  readonly reason: string
  readonly statuses: readonly number[]
  readonly cases?: readonly string[]
}

const REFUSED = [400]
const WORKS = [200]

/** By the key of the quirk. */
export const rulings: Readonly<Record<string, Ruling>> = {
  ...graphqlRulings,
  // Refused with a 400 that names the key.
  'unknown-operator-drops-filter': {
    reason: 'an unknown operator is refused by name; dropping it would answer everything',
    statuses: REFUSED,
    cases: ['query-string-003', 'query-string-046'],
  },
  'column-name-filter-dropped': {
    reason: "a column's name is no attribute: refused instead of dropped",
    statuses: REFUSED,
  },
  'prototype-keys': {
    reason: 'a key such as constructor is an unknown name like any other',
    statuses: REFUSED,
  },
  'dotted-query-ignored': { reason: 'a malformed key is refused instead of ignored', statuses: REFUSED },
  'populate-unknown-ignored': {
    reason:
      'unknown and private names in fields and filters of populated entries are refused as they are at the root',
    statuses: REFUSED,
    cases: ['populate-073', 'populate-074'],
  },
  'null-operator-without-value': { reason: '$null without a value says nothing: refused', statuses: REFUSED },
  'integer-empty-string': { reason: 'the empty text is no number', statuses: REFUSED },
  'boolean-filter-forcecast': {
    reason: 'true, false, 1, 0, t and f are booleans, other text is not',
    statuses: REFUSED,
    cases: ['filters-332'],
  },
  'pagesize-empty': {
    reason: 'a page size of zero, below zero or of no text is refused',
    statuses: REFUSED,
    cases: ['variant-rest-none-005', 'variant-rest-none-006'],
  },
  'relation-true': { reason: 'true is no id', statuses: REFUSED },
  'disconnect-silent': { reason: 'unknown ids and keys in a relation are refused', statuses: REFUSED },
  'multipart-errors-500': {
    reason: 'a multipart body without its data is a mistake of the client',
    statuses: REFUSED,
  },
  'dz-foreign-component': { reason: 'a zone takes the components it lists', statuses: REFUSED },
  'publicationstate-null-is-preview': {
    reason: 'publicationState without a value must not show drafts',
    statuses: REFUSED,
  },
  // Repaired to the evident intent.
  'filter-inside-json': {
    reason:
      'names below a JSON attribute filter by the value there; Strapi 4 drops such a filter, Strapi 5 refuses it',
    statuses: WORKS,
    cases: ['filters-441'],
  },
  'bigint-precision': {
    reason: 'big integers are exact, their range, minimum and maximum are checked',
    statuses: [200, 400],
    cases: ['rest-coercion-045'],
  },
  'sort-tomany-duplicates': {
    reason: 'sorted through many, an entry is shown once: its smallest or largest value decides',
    statuses: WORKS,
  },
  'populate-start-limit-across-parents': {
    reason: 'a page of members is one of each parent',
    statuses: WORKS,
    cases: ['populate-088'],
  },
  'populate-mixes': {
    reason: 'names may stand beside options, and text below a member is what to populate of it',
    statuses: WORKS,
    cases: ['populate-021', 'populate-036'],
  },
  'component-ids': {
    reason: 'the id in the request is from an answer that was not kept, and components have other ids here',
    statuses: WORKS,
    cases: ['components-payload-022'],
  },
  'populate-fields-drop-join-column': {
    reason: 'fields do not change what is related',
    statuses: WORKS,
    cases: ['populate-191', 'populate-196'],
  },
  'publish-skips-validation': { reason: 'what is published is valid', statuses: [200, 400] },
  'draft-array-required': {
    reason: 'a draft may lack required lists as it may lack the rest',
    statuses: WORKS,
  },
  'component-required-on-update': {
    reason: 'a new component has what is required of it, whatever happens around it',
    statuses: REFUSED,
    cases: ['components-payload-033'],
  },
  'required-media-not-enforced': {
    reason: 'required, types and lengths of media are enforced',
    statuses: REFUSED,
  },
  'q-like-escaping': { reason: 'no character of a search is a wildcard', statuses: WORKS },
  'like-wildcards-not-escaped': { reason: 'no character of a filter is a wildcard', statuses: WORKS },
  'sqlite-like-case': {
    reason: 'case-sensitive operators are, on every database',
    statuses: WORKS,
    cases: [
      ...['filters-023', 'filters-037', 'filters-045', 'filters-095', 'filters-104', 'filters-509'],
      ...['filters-deep-030', 'filters-deep-086'],
    ],
  },
  'unordered-lists': {
    reason: 'the id is the last sort key',
    statuses: WORKS,
    cases: ['sort-049', 'upload-009'],
  },
  'related-by-place': {
    reason:
      'the same entries show the file, by its place among their files, then by content-type; the recorded server had them by age of the link',
    statuses: WORKS,
    cases: ['populate-150', 'populate-152'],
  },
  'files-are-added-last': {
    reason: 'files sent for an entry stand behind those that it has, in the order in which they were sent',
    statuses: WORKS,
    cases: ['upload-042'],
  },
  'json-by-affinity': {
    reason: 'JSON is compared and sorted as its text; the recorded database kept numbers apart from text',
    statuses: WORKS,
    cases: ['filters-440', 'sort-054'],
  },
  'not-list-uncast': {
    reason: 'values in a list under $not are cast as everywhere; true was compared as text',
    statuses: WORKS,
    cases: ['filters-511'],
  },
  'long-lists': {
    reason: 'a list is a list at any length within the limit, and 00 is an index',
    statuses: WORKS,
    cases: ['filters-507', 'filters-508', 'query-string-008'],
  },
  'query-too-deep': {
    reason: 'too many brackets are refused by the rule they break, not as an unknown name',
    statuses: REFUSED,
    cases: ['filters-492', 'populate-190'],
  },
  'roles-from-configuration': {
    reason: 'roles come from the configuration: they are as old as the first start with it',
    statuses: WORKS,
    cases: ['populate-172'],
  },
  'integer-range': {
    reason: 'an integer is one that JSON and the database keep exactly',
    statuses: REFUSED,
    cases: ['rest-coercion-033'],
  },
  'blocks-not-a-list': {
    reason: 'text where blocks belong is refused, not lost',
    statuses: REFUSED,
    cases: ['rest-coercion-194', 'validation-070'],
  },
  'unique-within-a-payload': {
    reason: 'a unique value is unique among the components of one payload, too',
    statuses: REFUSED,
    cases: ['validation-087'],
  },
  'zone-foreign-id': {
    reason: 'the error is called as for other components',
    statuses: REFUSED,
    cases: ['components-payload-056', 'components-payload-057'],
  },
  'unknown-method': {
    reason: 'uWebSockets.js itself closes the connection on a method that it does not know',
    statuses: [0],
    cases: ['rest-find-095'],
  },
  'i18n-sync-needs-populate': {
    reason: 'what localizations share is the same in all of them, whatever the answer shows',
    statuses: WORKS,
    cases: ['relations-payload-058'],
  },
  'i18n-unique-global': { reason: 'values are unique within a locale', statuses: WORKS },
  'i18n-joins': {
    reason:
      'an entry made with localizations joins all of them and has what they share; there it wiped that out and parted them',
    statuses: [200, 400],
    cases: ['i18n-043', 'i18n-044', 'i18n-057'],
  },
  'nul-characters': {
    reason: 'text with NUL is refused everywhere',
    statuses: REFUSED,
    cases: ['query-string-024'],
  },
  'too-many-parameters': {
    reason: 'the 1001st parameter is refused, not dropped without a word',
    statuses: REFUSED,
    cases: ['query-string-030'],
  },
  'percent-encoded-path': {
    reason: 'a letter and its percent-encoded form are the same path (RFC 3986)',
    statuses: WORKS,
    cases: ['rest-find-099'],
  },
  'welcome-page': {
    reason: 'the welcome page of another product is not ours to show',
    statuses: [404],
    cases: ['rest-find-086', 'variant-production-001', 'http-007', 'http-029', 'http-030', 'http-033'],
  },
  'administration-routes': {
    reason: "there is no administration: its paths are nobody's",
    statuses: [404],
    cases: ['http-046', 'http-047'],
  },
  'explorer-page': {
    reason: 'the explorer is a page of our own',
    statuses: WORKS,
    cases: ['http-051'],
  },
  'mixed-sort-list': {
    reason: 'text and objects may stand in one list',
    statuses: WORKS,
    cases: ['sort-015'],
  },
  'sort-names-the-order': {
    reason: 'who sorts by a relation is told its name, not that of the order',
    statuses: REFUSED,
    cases: ['sort-092'],
  },
  'text-plain-405': {
    reason: 'errors come in the JSON envelope',
    statuses: [405, 501],
    cases: [
      'http-054',
      'http-056',
      'upload-077',
      'rest-update-045',
      'rest-single-type-019',
      'rest-single-type-020',
      'i18n-035',
    ],
  },
  'syntaxerror-name': {
    reason: 'a 400 in our own words, where there is a route',
    statuses: [400, 404],
    cases: ['graphql-protocol-032', 'variant-production-019'],
  },
  'unused-files': {
    reason: 'a file for no media attribute is not stored: later ones have smaller ids',
    statuses: WORKS,
    cases: ['rest-create-047'],
  },
  'rewritten-text': {
    reason: 'the text of the file was rewritten in what was recorded; its length was not',
    statuses: WORKS,
    cases: ['http-036'],
  },
  'compressed-everywhere': {
    reason: 'images are compressed again through whichever door they come',
    statuses: WORKS,
    cases: ['graphql-upload-001'],
  },
  'files-by-upload': {
    reason: 'the entry of a file is made by its upload: nobody says by hand where contents lie',
    statuses: WORKS,
    cases: ['graphql-upload-011'],
  },
  'no-folders': {
    reason: 'there are no upload folders',
    statuses: REFUSED,
    cases: ['graphql-upload-013'],
  },
  'part-without-type': {
    reason: 'a part of a form without a type is text/plain (RFC 7578 4.4)',
    statuses: WORKS,
    cases: ['upload-029'],
  },
  // Safer.
  'upload-unsafe': {
    reason: 'what is said about a file agrees with its content; files for what does not exist are not stored',
    statuses: REFUSED,
  },
  'q-searches-private': { reason: 'a search does not touch private attributes', statuses: WORKS },
  'rest-nested-morphtoone-leaks-private': {
    reason: 'private attributes stay private behind morphs',
    statuses: WORKS,
  },
  'findone-populate-drafts': {
    reason: 'live answers hide related drafts at every depth',
    statuses: WORKS,
    cases: ['i18n-026', 'i18n-027', 'i18n-046', 'i18n-092'],
  },
  'update-token-missing-relation-permission': {
    reason: 'a relation to what the caller may not find is refused by name, not dropped',
    statuses: [403],
  },
  'users-mass-assignment': {
    reason: 'ids, providers, tokens and the like are never taken from a body',
    statuses: [200, 201, 400],
  },
  'graphql-login-not-scoped': {
    reason: 'a login through GraphQL is open to everybody, and counted with those over REST',
    statuses: [429],
  },
  'ratelimit-key': {
    reason:
      'tries are counted by the account that they are about; what else stands in the body is not looked at',
    statuses: [200, 400, 429],
  },
  'already-confirmed': {
    reason: 'nobody is told whose address is confirmed',
    statuses: WORKS,
    cases: ['auth-068'],
  },
  // Ours.
  'users-endpoints': { reason: 'a user that does not exist is a 404', statuses: [404] },
  'providers-are-off': {
    reason: 'no provider of logins can be switched on, the one called email included',
    statuses: REFUSED,
    cases: ['auth-032'],
  },
  'unknown-paths': {
    reason: 'a path that does not exist with any method is a 404',
    statuses: [404],
    cases: ['auth-033', 'i18n-061'],
  },
  'default-role-checked': {
    reason:
      'a default role that does not exist stops the load of the configuration, the one before serves on',
    statuses: WORKS,
    cases: ['auth-056', 'auth-058'],
  },
  'locales-are-text': {
    reason: 'the locales of the file all have one moment; there they had those of their rows',
    statuses: WORKS,
    cases: [
      'i18n-029',
      'i18n-031',
      'graphql-i18n-dp-038',
      'permission-matrix-049',
      'permission-matrix-102',
      'permission-matrix-155',
      'permission-matrix-261',
    ],
  },
  'roles-are-text': {
    reason: 'a role of the file is changed and deleted in the file',
    statuses: [200, 400],
    cases: ['roles-025', 'roles-026'],
  },
  'case-insensitive-paths': {
    reason: 'paths are exact',
    statuses: [404],
    cases: ['variant-ratelimit-015'],
  },
}

/** An answer of 500 was never an interface. */
const serverError: Ruling = {
  reason: 'the recorded server failed; we answer, or say what is wrong with the request',
  statuses: [200, 400, 404],
}

export function rulingOf(
  one: RecordedCase,
  status: number,
  among: Readonly<Record<string, Ruling>> = rulings,
): Ruling | undefined {
  const candidates = [
    ...(one.quirkKeys ?? []).map((key) => among[key]),
    ...Object.values(among).filter(({ cases }) => cases?.includes(one.id) === true),
    (one.response?.status ?? 0) >= 500 ? serverError : undefined,
    JSON.stringify(one.response?.body ?? null).includes('"INTERNAL_SERVER_ERROR"')
      ? internalError
      : undefined,
  ]
  return candidates.find((ruling) => ruling?.statuses.includes(status) === true)
}

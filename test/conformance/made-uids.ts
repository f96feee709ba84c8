// The uids that nobody gave: there they were left empty, here they are made from the attribute that the file names
// (docs/reference/configuration.md, uid). Each case with the place of its uid and the text that stands there, suffix and all.

export interface MadeUid {
  readonly path: string
  readonly uid: string
}

const SLUG = '$.data.attributes.slug'
const HANDLE = '$.data.attributes.handle'
/** Localizations are answered without an envelope. */
const BARE = '$.slug'

const rows: readonly (readonly [string, string, string])[] = [
  ['api-tokens-003', SLUG, 'tok'],
  ['i18n-036', SLUG, 'new-default'],
  ['i18n-038', SLUG, 'nouveau'],
  ['i18n-045', BARE, 'cuisine-japonaise'],
  ['i18n-063', BARE, 'by-alice'],
  ['rest-create-047', SLUG, 'mp-1'],
  ['rest-create-048', SLUG, 'fresh'],
  ['rest-create-049', SLUG, 'draft-one'],
  ['rest-create-050', SLUG, 'dated'],
  ['rest-create-051', SLUG, 'dated-1'],
  ['rest-create-053', SLUG, 'future'],
  ['rest-create-055', SLUG, 'preview'],
  ['rest-create-063', SLUG, 'priv'],
  ['validation-003', HANDLE, 'l-1'],
  ['validation-005', HANDLE, 'constraint-lab-1'],
  ['validation-012', HANDLE, 'l-3'],
  ['validation-015', HANDLE, 'l-4'],
  ['validation-019', HANDLE, 'l-6'],
  ['validation-020', HANDLE, 'l-7'],
  ['validation-022', HANDLE, 'l-8'],
  ['validation-033', HANDLE, 'l-10'],
  ['validation-047', HANDLE, 'l-12'],
  ['validation-050', HANDLE, 'l-13'],
  ['validation-052', HANDLE, 'l-14'],
  ['validation-053', HANDLE, 'l-15'],
  ['validation-056', HANDLE, 'l-16'],
  ['validation-057', HANDLE, 'l-17'],
  ['validation-069', HANDLE, 'l-18'],
  ['validation-072', HANDLE, 'l-20'],
  ['validation-073', HANDLE, 'l-21'],
  ['validation-081', HANDLE, 'l-22'],
  ['validation-088', HANDLE, 'l-23'],
]

/** By case. */
export const madeUids: ReadonlyMap<string, MadeUid> = new Map(
  rows.map(([id, path, uid]) => [id, { path, uid }]),
)

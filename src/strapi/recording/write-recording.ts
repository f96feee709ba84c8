// Converts a recording to two files: a configuration with the initial data, and the cases.

import { toAuthorText } from '../../config/author-text.ts'
import { writeYaml } from '../../config/yaml/write-yaml.ts'
import { buildRecord } from '../../lib/is-record.ts'
import { buildTypeKey } from '../import/convert-schema.ts'
import { NO_GUARDS } from '../import/guards.ts'
import { makeConfig } from '../import/make-config.ts'
import type { Json, StrapiSource } from '../import/strapi-source.ts'
import { getEntry, type Recording } from './exchange.ts'
import { getModel, type RecordedModel } from './recorded-model.ts'
import { collectSeenEntries } from './seen-entries.ts'
import { getCases, type RecordedCases } from './write-cases.ts'
import { getData } from './write-data.ts'

interface WrittenRecording {
  readonly config: string
  readonly cases: string
  readonly counts: {
    readonly types: number
    readonly entries: number
    readonly cases: number
    readonly requests: number
  }
  readonly notes: readonly string[]
}

/** `url`: the recorded server; `tokenText`: makes the text of an API token, for tests only. */
export function writeRecording(recording: Recording, url: string, tokenText: () => string): WrittenRecording {
  const seen = collectSeenEntries(recording)
  const model = getModel(recording, seen)
  const { data, entries, missing } = getData(seen, model)
  const found = getCases(recording, model)
  const source: StrapiSource = {
    apiVersion: isOfDocuments(recording) ? 'strapi-5' : 'strapi-4',
    contentTypes: optional(model.contentTypes, missing),
    components: optional(model.components, missing),
    roles: [],
    locales: recording.locales,
    defaultLocale: recording.locales.find(({ isDefault }) => isDefault)?.code,
    advanced: undefined,
    plugins: new Set(recording.locales.length > 0 ? ['i18n'] : []),
    notes: [],
  }
  const { config: converted, notes } = makeConfig(source, NO_GUARDS)
  const { database: _, plugins, ...rest } = converted
  const { 'users-permissions': __, upload: ___, ...needed } = buildRecord(plugins)
  const config = {
    ...rest,
    ...(Object.keys(needed).length > 0 && { plugins: needed }),
    ...getAuth(found, model, tokenText),
    ...(buildRecord(toAuthorText({ data })) as Json),
  }
  return {
    config: `${formatHeader(url, model)}\n${writeYaml(config)}`,
    cases: `# What ${url} answered.\n\n${writeYaml({ config: 'cms.yaml', cases: found.cases })}`,
    counts: {
      types: model.bySegment.size,
      entries,
      cases: Object.keys(found.cases).length,
      requests: found.requests,
    },
    notes: [...Object.values(notes.report).flat(), ...listNotes(recording, found, missing)],
  }
}

function formatHeader(url: string, { inferred, bySegment }: RecordedModel): string {
  const lines = [`# Recorded from ${url} by cms-run record.`]
  if (inferred)
    lines.push(
      '# The content-type-builder could not be read (--admin-token), so the attributes of these types are inferred from responses:',
      `# ${[...bySegment.keys()].join(', ')}. Types, limits and relations are guesses, to be checked.`,
    )
  return lines.map((line) => `${line}\n`).join('')
}

function isOfDocuments({ snapshots, exchanges }: Recording): boolean {
  const entries = [...snapshots.values()].flatMap((one) => one.entries)
  const answered = exchanges.flatMap(({ body }) => buildRecord(body)['data'] ?? [])
  return [...entries, ...answered].some((one) => getEntry(one)?.documentId !== undefined)
}

/** An entry may lack required values that are not recorded, for instance files. */
function optional(
  schemas: ReadonlyMap<string, Json>,
  missing: ReadonlySet<string>,
): ReadonlyMap<string, Json> {
  return new Map(
    [...schemas].map(([uid, schema]) => {
      const attributes = Object.entries(buildRecord(schema['attributes'])).map(([name, attribute]) => [
        name,
        missing.has(`${uid}.${name}`) ? { ...buildRecord(attribute), required: false } : attribute,
      ])
      return [uid, { ...schema, attributes: Object.fromEntries(attributes) }]
    }),
  )
}

/** Grants only the actions that each caller was seen to use. */
function getAuth({ allowed }: RecordedCases, model: RecordedModel, tokenText: () => string): Json {
  const getPermissions = (actions: ReadonlySet<string>): readonly string[] =>
    [...actions]
      .map((action) => {
        const at = action.lastIndexOf('.')
        const uid = action.slice(0, at)
        const schema = model.contentTypes.get(uid)
        return schema === undefined ? '' : `${buildTypeKey(uid, schema)}${action.slice(at)}`
      })
      .filter((one) => one !== '')
      .sort()
  const named = [...allowed].map(([caller, actions]) => ({ caller, permissions: getPermissions(actions) }))
  const roles = named.filter(({ caller }) => !caller.startsWith('token '))
  const tokens = named.filter(({ caller }) => caller.startsWith('token '))
  if (named.length === 0) return {}
  return {
    auth: {
      ...(roles.length > 0 && {
        roles: Object.fromEntries(roles.map(({ caller, permissions }) => [caller, { permissions }])),
      }),
      ...(tokens.length > 0 && {
        apiTokens: tokens.map(({ caller, permissions }) => ({
          name: caller.slice('token '.length),
          type: 'custom',
          permissions,
          token: tokenText(),
        })),
      }),
    },
  }
}

function listNotes(
  { leftOut, snapshots }: Recording,
  { elsewhere }: RecordedCases,
  missing: ReadonlySet<string>,
): readonly string[] {
  const reasons = new Map([
    ...leftOut,
    ...(elsewhere > 0 ? [['no content-type is served there', elsewhere] as const] : []),
  ])
  const left = [...reasons].map(
    ([why, count]) => `${count} ${count === 1 ? 'request is' : 'requests are'} left out: ${why}`,
  )
  const cut = [...snapshots].filter(([, { more }]) => more).map(([segment]) => segment)
  return [
    ...left,
    ...(missing.size > 0
      ? [`no longer required, since entries were read without them: ${[...missing].join(', ')}`]
      : []),
    ...cut.map((segment) => `/api/${segment} has more entries than are recorded`),
  ]
}

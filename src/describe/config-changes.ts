// Summarizes an edit of the file for the log line of a reload: `content-type recipe added, role public
// changed`.

import { isDeepStrictEqual } from 'node:util'
import type { Config } from '../config/config.ts'

const MAX_NAMED = 8

type DefinitionsByName = Readonly<Record<string, unknown>>

const NAMED: readonly (readonly [label: string, list: (config: Config) => DefinitionsByName])[] = [
  ['content-type', ({ contentTypes }) => byShortName(contentTypes)],
  ['component', ({ components }) => components],
  ['plugin', ({ plugins }) => plugins],
  ['role', ({ auth }) => auth.roles],
  ['data of', ({ data }) => byShortName(data)],
  ['policy', ({ policies }) => policies],
  ['middleware', ({ middlewares }) => middlewares],
]

const WHOLE: readonly (readonly [label: string, value: (config: Config) => unknown])[] = [
  ['dialect', ({ dialect }) => dialect],
  ['server', ({ server }) => server],
  ['rest', ({ rest }) => rest],
  ['database', ({ database }) => database],
  ['graphql', ({ graphql }) => graphql],
  ['routes', ({ routes }) => routes],
  ['extensions', ({ extensions }) => extensions],
  ['console', (config) => config.console],
  ['fake', ({ fake }) => fake],
  ['auth', ({ auth: { roles: _, ...others } }) => others],
]

/** Empty if only comments, code or seed files have changed. */
export function describeConfigChanges(before: Config, after: Config): string {
  const changes = [
    ...NAMED.flatMap(([label, list]) => compareNamed(label, list(before), list(after))),
    ...WHOLE.filter(([, value]) => !isDeepStrictEqual(value(before), value(after))).map(
      ([label]) => `${label} changed`,
    ),
  ]
  const named = changes.slice(0, MAX_NAMED).join(', ')
  return changes.length > MAX_NAMED ? `${named} and ${changes.length - MAX_NAMED} more` : named
}

function compareNamed(label: string, before: DefinitionsByName, after: DefinitionsByName): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    if (!Object.hasOwn(before, name)) return `${label} ${name} added`
    if (!Object.hasOwn(after, name)) return `${label} ${name} removed`
    return isDeepStrictEqual(before[name], after[name]) ? [] : `${label} ${name} changed`
  })
}

function byShortName(members: DefinitionsByName): DefinitionsByName {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name.replace(/^api::.*\./, ''), value]),
  )
}

// Expands a permission as written into the actions that it allows.
//
//   api::restaurant.restaurant.find   that action; any segment may be `*`
//   api::*.update, plugin::upload.*   after `api::` or `plugin::`, a `*` matches one or more segments
//   restaurant.find, restaurant.*     short form: the content-type `api::restaurant.restaurant`, else the only one of
//   restaurant.read                   find and findOne
//   restaurant                        the same as restaurant.read
//   ticketType.find                   in camelCase: the content-type `ticket-type`
//   upload, upload.upload, upload.*   where no content-type has the name, the actions of a plugin that has it
//   *.find                            the file with that ending; `*` is every content-type of the file
//
// A `*` is a whole segment: `restaurant.find*` and a bare `*` match nothing. As the action it leaves out those that Strapi
// does not have (publish, createMany, …): a file of its permissions grants no more here than there.

import { didYouMean } from '../lib/did-you-mean.ts'
import { isLeftOut } from './actions.ts'
import { formatSuggestion } from './checking.ts'
import { expandTypeName, suggestUid } from './find-target.ts'

/** In the order of `actions`. */
export function expandPermission(pattern: string, actions: ReadonlySet<string>): string[] {
  if (actions.has(pattern)) return [pattern]
  const full = fullPattern(pattern, actions)
  if (full === undefined) return []
  if (full.endsWith('.read') && !actions.has(full)) {
    const type = full.slice(0, -'read'.length)
    return [`${type}find`, `${type}findOne`].flatMap((one) => expandPermission(one, actions))
  }
  if (!full.includes('*')) return actions.has(full) ? [full] : []
  const matches = buildMatcher(full)
  const anyAction = full.endsWith('*')
  return [...actions].filter((action) => matches(action) && !(anyAction && isLeftOut(action, actions)))
}

export function suggestPermission(pattern: string, actions: ReadonlySet<string>): string | undefined {
  if (pattern === '*')
    return 'a permission names a content-type and an action: write "api::*.*.*" for all of them'
  if (/[^.:]\*|\*[^.]/.test(pattern)) return '"*" stands for a whole segment, as in "restaurant.*"'
  const plugin = /^plugin::([^.*]+)\./.exec(pattern)?.[1]
  if (plugin !== undefined && !listTypes(actions).some((type) => type.startsWith(`plugin::${plugin}.`))) {
    return `the plugin "${plugin}" is switched off or has no actions`
  }
  const [type, action] = splitAction(pattern)
  if (type === undefined) {
    const uid = suggestUid(pattern, listTypes(actions))
    return uid === undefined ? 'write "<content-type>.<action>"' : `did you mean "${lastSegment(uid)}"?`
  }
  const ofPlugin = [...actions].filter((id) => id.startsWith(`plugin::${type}.`)).map(lastSegment)
  if (ofPlugin.length > 0) return formatSuggestion(withType(type, didYouMean(action, ofPlugin)), ofPlugin)
  return type.includes('*') ? suggestAction(type, action, actions) : suggestType(type, action, actions)
}

function withType(type: string, action: string | undefined): string | undefined {
  return action === undefined ? undefined : `${type}.${action}`
}

/** The type may be any, so only the action can be wrong. */
function suggestAction(type: string, action: string, actions: ReadonlySet<string>): string | undefined {
  const prefix = type.startsWith('plugin::') ? 'plugin::' : 'api::'
  const known = new Set([...actions].filter((id) => id.startsWith(prefix)).map(lastSegment))
  const near = didYouMean(action, known)
  if (near === action) return undefined
  return near === undefined ? `actions: ${[...known].join(', ')}` : `did you mean "${type}.${near}"?`
}

function suggestType(type: string, action: string, actions: ReadonlySet<string>): string | undefined {
  const short = !type.includes('::')
  const types = listTypes(actions).filter((uid) => !short || uid.startsWith('api::'))
  const same = types.filter((uid) => short && lastSegment(uid) === type)
  if (same.length > 1) {
    return `"${type}" may be any of ${same.join(' and ')}: write the full id`
  }
  const uid = types.includes(type) ? type : suggestUid(type, types)
  if (uid === undefined) return formatSuggestion(undefined, short ? types.map(lastSegment) : types)
  const known = listActions(uid, actions)
  const shown = short ? lastSegment(uid) : uid
  if (action === '*' || action === 'read' || known.includes(action))
    return `did you mean "${shown}.${action}"?`
  const near = didYouMean(action, known)
  return near === undefined
    ? `actions of "${shown}": ${known.join(', ')}`
    : `did you mean "${shown}.${near}"?`
}

function fullPattern(pattern: string, actions: ReadonlySet<string>): string | undefined {
  if (/^(?:api|plugin)::/.test(pattern))
    return listTypes(actions).includes(pattern) ? `${pattern}.read` : pattern
  const segments = pattern.includes('.') ? pattern.split('.') : [pattern, 'read']
  const [type, action] = segments
  if (segments.length !== 2 || type === undefined || action === undefined) return undefined
  if (pattern === '*') return undefined
  if (type === '*') return `api::*.*.${action}`
  const uid = expandTypeName(type, listTypes(actions))
  if (uid !== undefined) return `${uid}.${action}`
  // `upload` alone means the plugin's action `upload`.
  return actionOfPlugin(type, pattern.includes('.') ? action : type, actions)
}

/** Finds `plugin::upload.content-api.upload` by `upload`. */
function actionOfPlugin(plugin: string, action: string, actions: ReadonlySet<string>): string | undefined {
  const start = `plugin::${plugin}.`
  if (![...actions].some((id) => id.startsWith(start))) return undefined
  if (action === '*') return `${start}*`
  const [found, another] = [...actions].filter((id) => id.startsWith(start) && lastSegment(id) === action)
  return another === undefined ? found : undefined
}

function buildMatcher(pattern: string): (action: string) => boolean {
  const separator = pattern.indexOf('::') + 2
  const prefix = pattern.slice(0, separator)
  const wanted = pattern.slice(separator).split('.')
  return (action) => action.startsWith(prefix) && segmentsMatch(wanted, action.slice(separator).split('.'))
}

/** At most three segments, so trying every length of a `*` is cheap. */
function segmentsMatch(wanted: readonly string[], given: readonly string[]): boolean {
  const [first, ...rest] = wanted
  if (first === undefined) return given.length === 0
  if (first !== '*') return given[0] === first && segmentsMatch(rest, given.slice(1))
  return given.some((_, index) => segmentsMatch(rest, given.slice(index + 1)))
}

function splitAction(pattern: string): [type: string | undefined, action: string] {
  const start = pattern.includes('::') ? pattern.indexOf('.') + 1 : 0
  const dot = pattern.lastIndexOf('.')
  return dot < start || dot === -1 ? [undefined, pattern] : [pattern.slice(0, dot), pattern.slice(dot + 1)]
}

function lastSegment(id: string): string {
  return id.slice(id.lastIndexOf('.') + 1)
}

/** Without it, 2,000 short permissions for 200 content-types took 0.6 s. */
const typesOfActions = new WeakMap<ReadonlySet<string>, readonly string[]>()

function listTypes(actions: ReadonlySet<string>): readonly string[] {
  const known = typesOfActions.get(actions)
  if (known !== undefined) return known
  const types = [...new Set([...actions].map((action) => action.slice(0, action.lastIndexOf('.'))))]
  typesOfActions.set(actions, types)
  return types
}

function listActions(type: string, actions: ReadonlySet<string>): string[] {
  return [...actions]
    .filter((action) => action.startsWith(`${type}.`))
    .map((action) => action.slice(type.length + 1))
}

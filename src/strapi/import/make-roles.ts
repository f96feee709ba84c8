// Makes the roles of a configuration. Permissions guarded by code are not granted: they become comments with
// their reasons.

import type { YamlComment } from '../../config/yaml/write-yaml.ts'
import type { Guards } from './guards.ts'
import type { ImportNotes } from './import-notes.ts'
import { formatText, type Json, type StrapiSource } from './strapi-source.ts'

export interface RoleOptions {
  readonly guards: Guards
  readonly knows: (action: string) => boolean
}

export function makeRoles(
  { roles }: StrapiSource,
  { guards, knows }: RoleOptions,
  notes: ImportNotes,
): { readonly roles: Json; readonly comments: readonly YamlComment[] } {
  const taken: Record<string, unknown> = {}
  const comments: YamlComment[] = []
  for (const { type, name, description, actions } of roles) {
    if (type === '') continue
    const unknown = actions.filter((action) => !knows(action))
    if (unknown.length > 0) notes.add('missing', `role ${type}: unknown permissions: ${unknown.join(', ')}`)
    const known = actions.filter(knows)
    const granted = known.filter((action) => guards.reasons(action).length === 0)
    const held = new Map(
      known.filter((action) => !granted.includes(action)).map((one) => [one, guards.reasons(one)]),
    )
    if (type === 'public')
      for (const [action, reason] of guards.opened)
        if (knows(action) && !known.includes(action)) held.set(action, [reason, ...guards.reasons(action)])
    taken[type] = {
      name: formatText(name, type),
      ...(description !== '' && { description }),
      permissions: granted,
    }
    if (held.size === 0) continue
    notes.add(
      'closed',
      `role ${type}: ${held.size} permissions are comments, because code that is not taken concerns them`,
    )
    comments.push({ path: ['auth', 'roles', type, 'permissions'], text: textOfHeld(held) })
  }
  const { closed, missing } = guards.notes.report
  if (roles.length === 0 && closed.length + missing.length > 0)
    comments.push({
      path: [],
      text: ['Code of the Strapi project that is not taken:', ...closed, ...missing].join('\n'),
    })
  return { roles: taken, comments }
}

function textOfHeld(held: ReadonlyMap<string, readonly string[]>): string {
  const byReasons = new Map<string, string[]>()
  for (const [action, reasons] of held) {
    const text = reasons.join('\n')
    byReasons.set(text, [...(byReasons.get(text) ?? []), action])
  }
  return [...byReasons]
    .map(([reasons, actions]) => [`Not granted: ${reasons}`, ...actions.map((one) => `- ${one}`)].join('\n'))
    .join('\n')
}

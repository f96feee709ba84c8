// Expands permissions with a rule: `{ action: order.find, owner: user }`, `order.find: { owner: user }`, and
// conditions as a map.

import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { Expansion } from './expansion.ts'
import { mapEqualities } from './map-condition.ts'

export function expandPermissionRules(expansion: Expansion): void {
  for (const [name] of expansion.entries(['auth', 'roles']))
    expandListed(expansion, ['auth', 'roles', name, 'permissions'])
  const tokens = expansion.at(['auth', 'apiTokens'])
  for (const index of Array.isArray(tokens) ? tokens.keys() : [])
    expandListed(expansion, ['auth', 'apiTokens', index, 'permissions'])
}

function expandListed(expansion: Expansion, path: DiagnosticPath): void {
  const listed = expansion.at(path)
  if (!Array.isArray(listed)) return
  for (const [index, item] of listed.entries()) {
    if (!isRecord(item)) continue
    const at = [...path, index]
    const { action, ...rule } = item
    if (typeof action === 'string') {
      const keys = Object.keys(rule)
      expansion.replace(at, { [action]: rule }, [
        [[action], ['action']],
        ...keys.map((key): [string[], string[]] => [[action, key], [key]]),
      ])
    }
    for (const [pattern] of expansion.entries(at)) expandRule(expansion, [...at, pattern], pattern)
  }
}

function expandRule(expansion: Expansion, path: DiagnosticPath, pattern: string): void {
  for (const part of ['where', 'check']) {
    const written = expansion.at([...path, part])
    const text = isRecord(written) ? mapEqualities(written) : undefined
    if (text === undefined) continue
    if (text.isPlain) expansion.replace([...path, part], text.expression)
    else {
      const help = `write "${part}: ${text.expression}"`
      expansion.refuse([...path, part], 'CFG010', [], `"${part}" is an expression, found an object`, help)
    }
  }
  const rule = expansion.at(path)
  if (!isRecord(rule) || typeof rule['owner'] !== 'string') return
  const { owner, ...rest } = rule
  const where = `${owner} == me`
  if (rest['where'] !== undefined) {
    const help = `write "where: ${where} && (${typeof rest['where'] === 'string' ? rest['where'] : '…'})"`
    expansion.refuse([...path, 'owner'], 'CFG054', [], '"owner" and "where" do not go together', help)
    return
  }
  const action = pattern.includes('.') ? pattern.slice(pattern.lastIndexOf('.') + 1) : 'read'
  // Create sets the field; reads and deletes use it as a condition. An update does both, so that callers
  // cannot give their entries away.
  const sets = ['create', 'update', '*'].includes(action)
  const { set = {} } = rest
  const value = {
    ...(action !== 'create' && { where }),
    ...rest,
    ...(sets && isRecord(set) && { set: { [owner]: 'me', ...set } }),
  }
  expansion.replace(path, value, [
    [['where'], ['owner']],
    [['set'], rest['set'] === undefined ? ['owner'] : ['set']],
    [['set', owner], isRecord(set) && owner in set ? ['set', owner] : ['owner']],
  ])
}

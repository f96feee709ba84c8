// Finds the custom fields that a project's own code registers: `strapi.customFields.register({ name, plugin, type })`.

import { join } from 'node:path'
import { listCodeFiles, listFolders } from '../project-folder.ts'
import { type CodeValue, parseExpression } from './parse-expression.ts'
import { readCode } from './read-code.ts'
import { createTokenCursor } from './token-cursor.ts'

const MAX_FILES = 300

/** Types by `plugin::<plugin>.<name>` and `global::<name>`. */
export async function findRegisteredFields(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = [...(await listCodeFiles(join(folder, 'src')))]
  for (const plugin of await listFolders(join(folder, 'src/plugins'))) {
    for (const place of ['.', 'server', 'server/src'])
      files.push(...(await listCodeFiles(join(folder, 'src/plugins', plugin, place))))
  }
  const types = new Map<string, string>()
  for (const file of files.slice(0, MAX_FILES)) {
    const { tokens } = await readCode(file)
    if (tokens === undefined) continue
    const cursor = createTokenCursor(tokens)
    for (let at = 0; at < tokens.length; at++) {
      cursor.goTo(at)
      if (!cursor.take('customFields', '.', 'register', '(')) continue
      const given = parseExpression(cursor, new Map())
      for (const field of given.kind === 'list' ? given.items : [given]) addField(types, field, file)
    }
  }
  return types
}

function addField(types: Map<string, string>, field: CodeValue, file: string): void {
  if (field.kind !== 'object') return
  const getText = (key: string): string | undefined => {
    const value = field.members.get(key)
    return value?.kind === 'text' ? value.text : undefined
  }
  const [name, type] = [getText('name'), getText('type')]
  if (name === undefined || type === undefined) return
  // The name of a plugin is often a constant; then it is that of its folder.
  const [, folder] = /src[/\\]plugins[/\\]([^/\\]+)/.exec(file) ?? []
  const plugin = getText('plugin') ?? (field.members.has('plugin') ? folder : undefined)
  types.set(plugin === undefined ? `global::${name}` : `plugin::${plugin}.${name}`, type)
}

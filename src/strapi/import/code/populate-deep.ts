// Reads whether a project has one of the two plugins that populate everything, and its levels from `config/plugins`.

import { join } from 'node:path'
import { type ImportNote, ImportNotes } from '../import-notes.ts'
import { listFiles } from '../project-folder.ts'
import type { Json } from '../strapi-source.ts'
import { buildResult, getMember, getPlain } from './code-values.ts'
import { readCode } from './read-code.ts'

const PLUGINS = ['strapi-plugin-populate-deep', 'strapi-v5-plugin-populate-deep']
/** Of the plugins. */
const DEFAULT_LEVELS = 5
/** Of `rest.populateDeep`. */
const MAX_LEVELS = 10

/** `settings`: those of `rest`. */
export async function readPopulateDeep(
  folder: string,
  dependencies: Json,
): Promise<{ readonly settings: Json; readonly notes: readonly ImportNote[] }> {
  const plugin = PLUGINS.find((name) => name in dependencies)
  if (plugin === undefined) return { settings: {}, notes: [] }
  const notes = new ImportNotes()
  let levels = DEFAULT_LEVELS
  for (const file of await listFiles(join(folder, 'config'))) {
    if (!/^plugins\.[cm]?[jt]s$/.test(file)) continue
    const { exported } = await readCode(join(folder, 'config', file))
    const settings = getMember(buildResult(exported), plugin)
    if (getPlain(getMember(settings, 'enabled')) === false) return { settings: {}, notes: [] }
    const given = getMember(getMember(settings, 'config'), 'defaultDepth')
    if (given === undefined) continue
    const depth = getPlain(given)
    if (typeof depth === 'number' && Number.isSafeInteger(depth) && depth > 0)
      levels = Math.min(depth, MAX_LEVELS)
    if (levels !== depth)
      notes.add(
        'different',
        `config/${file}: defaultDepth of ${plugin} is code or above ${MAX_LEVELS}: rest.populateDeep is ${levels}`,
      )
  }
  notes.add(
    'different',
    `${plugin}: requests get at most ${levels} levels: raise rest.populateDeep if they ask for more`,
  )
  return { settings: { populateDeep: levels }, notes: notes.list }
}

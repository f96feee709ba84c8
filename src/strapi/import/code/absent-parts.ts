// Names the places of a project's code that ask `strapi` for parts that are not here.

import { join, relative } from 'node:path'
import { findInstead, PLUGIN_SERVICES, STRAPI_PARTS } from '../../../lib/strapi-object.ts'
import { listCodeFiles, listFolders } from '../project-folder.ts'
import { readCode } from './read-code.ts'
import type { Token } from './scan-tokens.ts'

const MAX_FILES = 5000
const PARTS: ReadonlySet<string> = new Set(STRAPI_PARTS)

interface CodeRequests {
  readonly notes: readonly string[]
  /** The members of `strapi` that code asks for. */
  readonly parts: ReadonlySet<string>
}

/** The notes: `src/index.js:3: strapi.store is not there: …`, once for each file and part. */
export async function findAbsentParts(folder: string, services: Services): Promise<CodeRequests> {
  const notes: string[] = []
  const parts = new Set<string>()
  let count = 0
  const waiting = [join(folder, 'src')]
  for (const place of waiting) {
    const folders = (await listFolders(place)).filter(
      (name) => !/^(?:admin|node_modules|dist|build)$/.test(name),
    )
    waiting.push(...folders.map((name) => join(place, name)))
    for (const file of await listCodeFiles(place)) {
      if (file.endsWith('.json')) continue
      count += 1
      if (count > MAX_FILES)
        return {
          notes: [
            ...notes,
            `src has more than ${MAX_FILES} files: the others are not searched for parts of strapi`,
          ],
          parts,
        }
      const { tokens = [], lineAt } = await readCode(file)
      for (const [index, { text }] of tokens.entries()) {
        const part = text === 'strapi' ? nameAfter(tokens, index) : undefined
        if (part !== undefined) parts.add(part)
      }
      for (const [part, at] of listAbsentParts(tokens, services))
        notes.push(
          `${relative(folder, file)}:${lineAt(at)}: strapi.${part} is not there: ${findInstead(part) ?? 'use cms'}`,
        )
    }
  }
  return { notes, parts }
}

/** Those of the project that are kept, by uid. */
type Services = ReadonlyMap<string, string>

const NO_SERVICES: Services = new Map()

/** The first place of each part. */
export function listAbsentParts(
  tokens: readonly Token[],
  services: Services = NO_SERVICES,
): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const [index, { kind, text, at }] of tokens.entries()) {
    if (kind !== 'name' || text !== 'strapi') continue
    const service = readPluginService(tokens.slice(index, index + 12))
    const isKnown = service === undefined || PLUGIN_SERVICES.has(service) || services.has(service)
    if (!isKnown) found.set(`service('${service}')`, at)
    const [first, second] = [nameAfter(tokens, index), nameAfter(tokens, index + 2)]
    if (first === undefined) continue
    const part = PARTS.has(first) ? `${first}.${second ?? ''}` : first
    const isAbsent = !PARTS.has(first) || findInstead(part) !== undefined
    if (isAbsent && !found.has(part)) found.set(part, at)
  }
  return found
}

/** `plugin::upload.upload` of `strapi.plugin('upload').service('upload')` or `strapi.plugins.upload.services.upload`. */
function readPluginService(tokens: readonly Token[]): string | undefined {
  const words = tokens.map(({ kind, text }) => (kind === 'sign' && /^[.()[\]?]$/.test(text) ? '' : text))
  const [, word, plugin, kind, name] = words.filter((text) => text !== '')
  const isCall = word === 'plugin' && kind === 'service'
  const isMember = word === 'plugins' && kind === 'services'
  if (isCall || isMember) return `plugin::${plugin}.${name}`
  return word === 'service' && plugin?.startsWith('plugin::') === true ? plugin : undefined
}

function nameAfter(tokens: readonly Token[], index: number): string | undefined {
  const [dot, name] = tokens.slice(index + 1, index + 3)
  return dot?.text === '.' && name?.kind === 'name' ? name.text : undefined
}

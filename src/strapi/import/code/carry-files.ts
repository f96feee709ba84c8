// Carries files over that stand for themselves: settings, and lifecycles of content-types.

import { basename, extname, join, relative } from 'node:path'
import { LIFECYCLE_HOOKS } from '../../../write/lifecycle.ts'
import type { ImportNotes } from '../import-notes.ts'
import { listCodeFiles } from '../project-folder.ts'
import { listAbsentParts } from './absent-parts.ts'
import type { CodeCarrier } from './carry-code.ts'
import { readCode } from './read-code.ts'

type Carrier = Pick<CodeCarrier, 'settings' | 'lifecycles' | 'findFault' | 'toReference'>

/** `server` and `admin` stay: code asks for their values. */
const STRAPI_SETTINGS: ReadonlySet<string> = new Set([
  ...['api', 'database', 'features', 'hooks', 'middlewares', 'plugins'],
])
const SETTINGS_NAME = /^[A-Za-z_][\w-]*$/

const HOOKS: ReadonlySet<string> = new Set(LIFECYCLE_HOOKS)

/** Files of `config` for `strapi.config`, apart from those that Strapi itself reads. */
export async function carrySettings(folder: string, carrier: Carrier, notes: ImportNotes): Promise<void> {
  for (const file of await listCodeFiles(join(folder, 'config'))) {
    const name = basename(file, extname(file))
    if (STRAPI_SETTINGS.has(name) || extname(file) === '.json') continue
    const fault = SETTINGS_NAME.test(name)
      ? await carrier.findFault(file)
      : 'has a name that settings cannot have'
    const place = relative(folder, file)
    if (fault === undefined) {
      carrier.settings.set(name, carrier.toReference(file))
      notes.add('taken', `${place} is kept`)
    } else notes.add('missing', `${place} is code and is not taken: it ${fault}`)
  }
}

export async function carryLifecycles(
  folder: string,
  uids: Iterable<string>,
  carrier: Carrier,
  notes: ImportNotes,
): Promise<void> {
  for (const uid of uids) {
    const [, api, type] = /^api::([^.]+)\.(.+)$/.exec(uid) ?? []
    if (api === undefined || type === undefined) continue
    const files = await listCodeFiles(join(folder, 'src/api', api, 'content-types', type))
    for (const file of files.filter((one) => /^lifecycles\.\w+$/.test(basename(one)))) {
      const place = relative(folder, file)
      const reason = await carryLifecycle(uid, file, carrier)
      if (reason === undefined) notes.add('taken', `${place} is kept`)
      else notes.add('missing', `${place} is code and is not taken: ${reason}`)
    }
  }
}

/** Returns the reason if the file cannot be carried over. */
async function carryLifecycle(uid: string, file: string, carrier: Carrier): Promise<string | undefined> {
  const { exported, tokens = [] } = await readCode(file)
  if (exported?.kind !== 'object') return 'it is not understood'
  const other = [...exported.members.keys()].find((name) => !HOOKS.has(name))
  if (other !== undefined) return `there is no ${other}`
  if (listAbsentParts(tokens).size > 0) return 'it asks for parts of strapi that are not there'
  const fault = await carrier.findFault(file)
  if (fault !== undefined) return `it ${fault}`
  carrier.lifecycles.set(uid, carrier.toReference(file))
  return undefined
}

// Carries services of plugins in `src/plugins` over. Other code of them is named.

import { basename, extname, join, relative } from 'node:path'
import type { ImportNotes } from '../import-notes.ts'
import { listCodeFiles, listFolders } from '../project-folder.ts'
import type { CodeCarrier } from './carry-code.ts'
import { readCode } from './read-code.ts'

type Carrier = Pick<CodeCarrier, 'services' | 'findFault' | 'toReference'>

/** Where the files of Strapi's generators put the server of a plugin. */
const SERVERS = ['server/src', 'server', '.'] as const
const OTHERS = ['routes', 'controllers', 'content-types', 'policies', 'middlewares'] as const

export async function carryPlugins(folder: string, carrier: Carrier, notes: ImportNotes): Promise<void> {
  for (const plugin of await listFolders(join(folder, 'src/plugins'))) {
    for (const server of SERVERS) {
      const place = join(folder, 'src/plugins', plugin, server)
      const folders = await listFolders(place)
      const others = OTHERS.filter((name) => folders.includes(name))
      if (others.length > 0)
        notes.add('missing', `${relative(folder, place)}: ${others.join(', ')} of a plugin are not taken`)
      if (folders.includes('services'))
        await carryServices(folder, join(place, 'services'), { plugin, carrier, notes })
    }
  }
}

interface PluginServices {
  readonly plugin: string
  readonly carrier: Carrier
  readonly notes: ImportNotes
}

/** `index` names the services; each has a file of its name. */
async function carryServices(
  folder: string,
  place: string,
  { plugin, carrier, notes }: PluginServices,
): Promise<void> {
  const files = await listCodeFiles(place)
  const index = files.find((file) => getName(file) === 'index')
  const { exported } = index === undefined ? { exported: undefined } : await readCode(index)
  const names = exported?.kind === 'object' ? [...exported.members.keys()] : []
  for (const file of files) {
    const name = names.find((one) => toLetters(one) === toLetters(getName(file)))
    if (file === index) continue
    const fault =
      name === undefined ? 'is not named by the index of services' : await findFault(file, plugin, carrier)
    if (name !== undefined && fault === undefined) {
      carrier.services.set(`plugin::${plugin}.${name}`, carrier.toReference(file))
      notes.add('taken', `${relative(folder, file)} is kept`)
    } else notes.add('missing', `${relative(folder, file)} is code and is not taken: it ${fault}`)
  }
}

async function findFault(file: string, plugin: string, carrier: Carrier): Promise<string | undefined> {
  const { exported } = await readCode(file)
  const [uid] = exported?.kind === 'call' ? exported.args : []
  if (uid?.kind === 'text' && uid.text.startsWith(`plugin::${plugin}.`))
    return `needs ${uid.text}, a type of the plugin`
  return carrier.findFault(file)
}

function getName(file: string): string {
  return basename(file, extname(file))
}

/** `myService` and `my-service` are the same. */
function toLetters(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, '').toLowerCase()
}

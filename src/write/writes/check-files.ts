// Checks the types of files in a payload against `allowedTypes` of media attributes.

import type { ErrorItem } from '../../lib/errors/api-error.ts'
import type { LinkWrite } from '../../plan/write/write-plan.ts'
import { run, type Work } from '../../storage/database.ts'
import type { Storage } from '../storage.ts'

const EVERY_TYPE = ['images', 'videos', 'audios', 'files']

export function* checkFileTypes(storage: Storage, links: readonly LinkWrite[]): Work<readonly ErrorItem[]> {
  const faults: ErrorItem[] = []
  for (const { attribute, change, path } of links) {
    if (attribute.kind !== 'media') continue
    const { allowedTypes, target } = attribute
    if (EVERY_TYPE.every((type) => allowedTypes.includes(type))) continue
    const mime = target.attributes.get('mime')
    const ids = change.kind === 'set' ? change.ids : change.connect.map(({ id }) => id)
    if (mime?.kind !== 'scalar' || ids.length === 0) continue
    const { statements } = storage
    const rows = yield* run(statements.getValues(target, mime), [statements.encodeIds(ids)])
    const wrong = rows.map((row) => String(row[1])).find((found) => !allowedTypes.includes(getKind(found)))
    if (wrong === undefined) continue
    const message = `${path.at(-1)} takes ${allowedTypes.join(', ')}, not ${wrong}`
    faults.push({ path, message, name: 'ValidationError' })
  }
  return faults
}

function getKind(mime: string): string {
  if (mime.startsWith('image/')) return 'images'
  if (mime.startsWith('video/')) return 'videos'
  return mime.startsWith('audio/') ? 'audios' : 'files'
}

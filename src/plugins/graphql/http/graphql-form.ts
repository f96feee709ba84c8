// A multipart request -> its operations, with files in the places of their variables (GraphQL multipart request
// specification): fields `operations` and `map`, then the files.

import type { FileIntake, ReceivedFile } from '../../../content/file-intake.ts'
import { UploadedFile } from '../../../content/uploaded-file.ts'
import { ApiError } from '../../../errors/api-error.ts'
import { parseJson } from '../../../http/parse-json.ts'
import { type MultipartField, readMultipart } from '../../../http/read-multipart.ts'
import type { HttpRequest } from '../../../http/request.ts'
import { isRecord } from '../../../util/is-record.ts'
import { jsonFault } from './request-fault.ts'

/** Runs `use` with the operations; the files are released behind it, whatever happened. */
export async function withGraphqlForm<T>(
  request: HttpRequest,
  boundary: string,
  files: FileIntake | undefined,
  use: (operations: unknown) => T | Promise<T>,
): Promise<T> {
  const received = new Map<string, ReceivedFile>()
  const spare: ReceivedFile[] = []
  try {
    const fields = await readMultipart(request, boundary, async ({ name, filename, mime, chunks }) => {
      if (files === undefined) throw noIntake()
      const file = await files.receive({ filename: filename === '' ? 'file' : filename, mime, chunks })
      spare.push(file)
      received.set(name, file)
    })
    const operations = jsonField(fields, 'operations')
    placeFiles(operations, jsonField(fields, 'map'), received)
    return await use(operations)
  } finally {
    for (const file of spare) await file.release()
  }
}

function noIntake(): ApiError {
  return new ApiError(
    'NotImplementedError',
    'This server takes no uploads: the upload plugin is switched off',
  )
}

function jsonField(fields: readonly MultipartField[], name: string): unknown {
  const text = fields.find((field) => field.name === name)?.value
  if (text === undefined) throw wrong(`Missing multipart field "${name}"`)
  try {
    return parseJson(text)
  } catch {
    throw wrong(`Invalid JSON in the multipart field "${name}"`)
  }
}

/** Every file has a place, every place is a variable that says `null`, and no file is named that is not there. */
function placeFiles(operations: unknown, map: unknown, received: ReadonlyMap<string, ReceivedFile>): void {
  if (!isRecord(map)) throw wrong('The multipart field "map" must be an object')
  for (const name of received.keys()) {
    if (!Object.hasOwn(map, name)) throw wrong(`The file "${name.slice(0, 50)}" has no place in "map"`)
  }
  for (const [name, paths] of Object.entries(map)) {
    const file = received.get(name)
    if (file === undefined) throw wrong(`"map" names the file "${name.slice(0, 50)}", which was not sent`)
    if (!Array.isArray(paths)) throw wrong('"map" must hold lists of paths')
    const value = new UploadedFile(file)
    for (const path of paths) place(operations, path, value)
  }
}

function place(operations: unknown, path: unknown, value: UploadedFile): void {
  const steps = typeof path === 'string' ? path.split('.') : []
  const last = steps.at(-1)
  let at = operations
  for (const step of steps.slice(0, -1)) at = ownOf(at, step)
  if (last === undefined || !steps.includes('variables') || ownOf(at, last) !== null) {
    throw wrong(`"map" names ${JSON.stringify(path)}, where no variable is null`)
  }
  ;(at as Record<string, unknown>)[last] = value
}

function ownOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Record<string, unknown>)[key]
}

function wrong(message: string): Error {
  return jsonFault(400, `${message}.`, 'BAD_REQUEST')
}

// Reads a multipart request (GraphQL multipart request specification). `operations` and `map` must precede
// the files, so that each file's purpose and permission are known before it is received.

import { parseJson } from '../../../http/body/parse-json.ts'
import { MAX_FILES, type MultipartField, readMultipart } from '../../../http/body/read-multipart.ts'
import type { HttpRequest } from '../../../http/request.ts'
import { ApiError } from '../../../lib/errors/api-error.ts'
import { isRecord } from '../../../lib/is-record.ts'
import type { FileIntake, ReceivedFile } from '../../../write/file-intake.ts'
import { UploadedFile } from '../../../write/uploaded-file.ts'
import { createJsonFault } from './request-fault.ts'

export interface FormReader {
  readonly files: FileIntake | undefined
  /**
   * Called with the variables that get files, before the first file is received. Throws to refuse the
   * operations.
   */
  admit(operations: unknown, places: readonly FilePlace[]): void
}

export interface FilePlace {
  readonly index: number | undefined
  readonly variable: string
}

interface FileVariable extends FilePlace {
  readonly schema: Record<string, unknown>
  readonly key: string
}

interface Plan {
  readonly operations: unknown
  readonly places: ReadonlyMap<string, FileVariable>
}

/** Calls `use` with the operations, then releases the files, also after an error. */
export async function withGraphqlForm<T>(
  request: HttpRequest,
  boundary: string,
  { files, admit }: FormReader,
  use: (operations: unknown) => T | Promise<T>,
): Promise<T> {
  const received = new Map<string, ReceivedFile>()
  const begun = new Set<string>()
  let plan: Plan | undefined
  try {
    const fields = await readMultipart(request, boundary, async (part, before) => {
      if (files === undefined) throw noIntake()
      if (plan === undefined) {
        assertOrder(before)
        const made = buildPlan(before)
        admit(made.operations, [...made.places.values()])
        plan = made
      }
      const { name } = part
      if (!plan.places.has(name)) throw wrong(`The file "${shown(name)}" has no place in "map"`)
      if (begun.has(name)) throw wrong(`There are two files "${shown(name)}"`)
      begun.add(name)
      received.set(name, await files.receive(part))
    })
    const { operations, places } = plan ?? buildPlan(fields)
    for (const [name, { schema, key }] of places) {
      const file = received.get(name)
      if (file === undefined) throw wrong(`"map" names the file "${shown(name)}", which was not sent`)
      schema[key] = new UploadedFile(file)
    }
    return await use(operations)
  } finally {
    for (const file of received.values()) await file.release()
  }
}

function noIntake(): ApiError {
  return new ApiError(
    'NotImplementedError',
    'This server takes no uploads: the upload plugin is switched off',
  )
}

function assertOrder(before: readonly MultipartField[]): void {
  const names = before.map(({ name }) => name)
  if (!names.includes('map')) throw wrong('Misordered multipart fields; files should follow "map"')
  if (!names.slice(0, names.indexOf('map')).includes('operations'))
    throw wrong('Misordered multipart fields; "map" should follow "operations"')
}

/** Each entry of the map must name a path of its own whose value is `null`. */
function buildPlan(fields: readonly MultipartField[]): Plan {
  const operations = jsonField(fields, 'operations')
  const map = jsonField(fields, 'map')
  if (!isRecord(map)) throw wrong('The multipart field "map" must be an object')
  const entries = Object.entries(map)
  if (entries.length > MAX_FILES) throw wrong(`"map" names more than ${MAX_FILES} files`)
  const places = new Map<string, FileVariable>()
  const taken = new Set<string>()
  for (const [name, paths] of entries) {
    if (!Array.isArray(paths)) throw wrong('"map" must hold lists of paths')
    const [path, second] = paths
    if (path === undefined) throw wrong(`"map" has no path for the file "${shown(name)}"`)
    if (second !== undefined)
      throw wrong(`"map" has several paths for the file "${shown(name)}": send it once for each`)
    if (taken.has(path)) throw wrong(`"map" names ${shownPath(path)} twice`)
    taken.add(path)
    places.set(name, getPlace(operations, path))
  }
  return { operations, places }
}

function jsonField(fields: readonly MultipartField[], name: string): unknown {
  const [field, second] = fields.filter((one) => one.name === name)
  if (field === undefined) throw wrong(`Missing multipart field "${name}"`)
  if (second !== undefined) throw wrong(`There are two multipart fields "${name}"`)
  try {
    return parseJson(field.value)
  } catch {
    throw wrong(`Invalid JSON in the multipart field "${name}"`)
  }
}

/** `variables.file`, `variables.files.0`, or for a list of operations `1.variables.file`. */
function getPlace(operations: unknown, path: unknown): FileVariable {
  const steps = typeof path === 'string' ? path.split('.', MAX_DEPTH + 1) : []
  const inList = Array.isArray(operations)
  const [root, variable] = inList ? steps.slice(1) : steps
  const key = steps.at(-1)
  let schema: unknown = operations
  for (const step of steps.slice(0, -1)) schema = getOwn(schema, step)
  if (
    key === undefined ||
    variable === undefined ||
    root !== 'variables' ||
    steps.length > MAX_DEPTH ||
    getOwn(schema, key) !== null
  ) {
    throw wrong(`"map" names ${shownPath(path)}, where no variable is null`)
  }
  return {
    index: inList ? Number(steps[0]) : undefined,
    variable,
    schema: schema as Record<string, unknown>,
    key,
  }
}

const MAX_DEPTH = 64

function getOwn(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Record<string, unknown>)[key]
}

function shown(name: string): string {
  return name.slice(0, 50)
}

function shownPath(path: unknown): string {
  return JSON.stringify(typeof path === 'string' ? path.slice(0, 100) : path)?.slice(0, 110)
}

function wrong(message: string): Error {
  return createJsonFault(400, `${message}.`, 'BAD_REQUEST')
}

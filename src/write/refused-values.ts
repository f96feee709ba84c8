// Adds refused values to faults, as Strapi 5 does, except values of private attributes.

import { ApiError, type ErrorItem } from '../lib/errors/api-error.ts'
import { isRecord } from '../lib/is-record.ts'
import type { Attribute } from '../model/attribute.ts'
import { listComponents } from '../model/attribute-targets.ts'
import type { ContentType, Schema } from '../model/content-type.ts'

type Data = Readonly<Record<string, unknown>>

export interface StoredValues {
  /** Stored values outside the payload. */
  readonly around: Data
  /** A new entry gets the defaults of omitted attributes. */
  readonly isNew: boolean
  resolve(): Promise<Data>
}

export async function writeWithSentValues<T>(
  type: ContentType,
  data: Data,
  { around, isNew, resolve }: StoredValues,
  write: (resolved: Data) => Promise<T>,
): Promise<T> {
  const resolved = await resolve()
  try {
    return await write(resolved)
  } catch (error) {
    if (!(error instanceof ApiError) || !Array.isArray(error.details['errors'])) throw error
    const items = error.details['errors'] as readonly ErrorItem[]
    const whole = (): Data => ({ ...getWhole(type, asSent(resolved, data), isNew), ...around })
    const errors = items.map((item) => withValue(type, item, data, whole))
    throw new ApiError('ValidationError', error.message, { ...error.details, errors })
  }
}

/** A value that cannot name a document is repeated as sent. */
function asSent(resolved: Data, data: Data): Data {
  const sent = Object.entries(data).filter(([, value]) => value === '' || typeof value === 'boolean')
  return { ...resolved, ...Object.fromEntries(sent) }
}

/** A fault of the whole payload repeats all of it. */
export function withValue(type: ContentType, item: ErrorItem, data: Data, whole: () => unknown): ErrorItem {
  if (Object.hasOwn(item, 'value') || isSecret(type, item.path)) return item
  // A value of the wrong type has become NaN or null before it is refused.
  if (/final value was: `(?:NaN|null)`/.test(item.message)) return { ...item, value: null }
  if (item.path.length === 0) return { ...item, value: whole() }
  const { attribute, value, isGiven } = foundAt(type, data, item.path)
  if (!isGiven && item.message.endsWith('must be defined.'))
    return isLink(type, item) ? { ...item, value: null } : item
  return { ...item, value: attribute === undefined ? value : repeated(attribute, value) }
}

/** A draft shows null for targets that it is not linked to. */
function isLink(type: ContentType, { path: [name = ''] }: ErrorItem): boolean {
  const kind = type.attributes.get(name)?.kind
  return kind === 'relation' || kind === 'media'
}

interface Found {
  /** Undefined for an element of a list. */
  readonly attribute: Attribute | undefined
  readonly value: unknown
  readonly isGiven: boolean
}

function foundAt(type: ContentType, data: unknown, path: readonly string[]): Found {
  let value = data
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step))
      return { attribute: undefined, value: path.length === 1 ? null : undefined, isGiven: false }
    value = (value as Data)[step]
  }
  const [name = ''] = path
  return { attribute: path.length === 1 ? type.attributes.get(name) : undefined, value, isGiven: true }
}

/** Shows components of a refused list with their defaults, an enumeration's value as text. */
function repeated(attribute: Attribute, value: unknown): unknown {
  const isList = attribute.kind === 'dynamiczone' || (attribute.kind === 'component' && attribute.repeatable)
  if (isList) return Array.isArray(value) ? storedForm(attribute, value) : value
  return attribute.type === 'enumeration' && ['number', 'boolean'].includes(typeof value)
    ? String(value)
    : value
}

function isSecret(type: ContentType, path: readonly string[]): boolean {
  let schemas: readonly Schema[] = [type]
  for (const step of path) {
    if (/^\d+$/.test(step)) continue
    const found: Attribute[] = []
    for (const { attributes } of schemas) {
      const attribute = attributes.get(step)
      if (attribute !== undefined) found.push(attribute)
    }
    if (found.some((one) => one.private || one.type === 'password')) return true
    schemas = found.flatMap(listComponents)
  }
  return false
}

/** Relations become sets, and new entries get defaults. */
function getWhole(schema: Schema, data: Data, isNew: boolean): Data {
  const whole: Record<string, unknown> = {}
  for (const attribute of schema.attributes.values()) {
    const { name } = attribute
    if (attribute.private || attribute.type === 'password') continue
    if (Object.hasOwn(data, name)) whole[name] = storedForm(attribute, data[name])
    else if (isNew && attribute.kind === 'scalar' && isPlain(attribute.default))
      whole[name] = attribute.default
  }
  return whole
}

function isPlain(value: unknown): boolean {
  return value !== undefined && value !== null
}

function storedForm(attribute: Attribute, value: unknown): unknown {
  switch (attribute.kind) {
    case 'scalar':
      return value
    case 'component':
    case 'dynamiczone': {
      const one = (element: unknown): unknown => {
        if (!isRecord(element)) return element
        const component =
          attribute.kind === 'component'
            ? attribute.component
            : attribute.components.find(({ uid }) => uid === element['__component'])
        if (component === undefined) return element
        const { __component: uid } = element
        const isNew = !Object.hasOwn(element, 'id')
        return { ...(uid === undefined ? {} : { __component: uid }), ...getWhole(component, element, isNew) }
      }
      return Array.isArray(value) ? value.map(one) : one(value)
    }
    default:
      if (value === null || typeof value === 'boolean') return value
      if (isRecord(value) && !('id' in value) && !('documentId' in value)) return value
      return { set: (Array.isArray(value) ? value : [value]).map(reference) }
  }
}

function reference(element: unknown): unknown {
  if (typeof element === 'number') return { id: element }
  if (typeof element !== 'string') return element
  return /^\d/.test(element) ? { id: element } : { documentId: element }
}

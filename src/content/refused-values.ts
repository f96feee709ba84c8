// Adds to the faults of a payload the values that were refused, as Strapi 5 does. Values of private attributes are not
// repeated.

import { ApiError, type ErrorItem } from '../errors/api-error.ts'
import type { Attribute } from '../model/attribute.ts'
import type { AttributeHolder, ContentType } from '../model/content-type.ts'
import { isRecord } from '../util/is-record.ts'

type Data = Readonly<Record<string, unknown>>

/** Runs a write of the payload; `around`: what it stores besides. */
export async function repeatingValues<T>(
  type: ContentType,
  data: Data,
  around: Data,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof ApiError) || !Array.isArray(error.details['errors'])) throw error
    const items = error.details['errors'] as readonly ErrorItem[]
    const errors = items.map((item) => withValue(type, item, data, () => wholeOf(type, data, around)))
    throw new ApiError('ValidationError', error.message, { ...error.details, errors })
  }
}

/** Of a fault of the whole payload, all of it. */
export function withValue(type: ContentType, item: ErrorItem, data: Data, whole: () => unknown): ErrorItem {
  if (Object.hasOwn(item, 'value') || isSecret(type, item.path)) return item
  if (item.message.endsWith('must be defined.')) return item
  // What is no number has become none before it is refused.
  if (item.message.includes('final value was: `NaN`')) return { ...item, value: null }
  return { ...item, value: item.path.length === 0 ? whole() : valueAt(data, item.path) }
}

function valueAt(data: unknown, path: readonly string[]): unknown {
  let value = data
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step))
      return path.length === 1 ? null : undefined
    value = (value as Data)[step]
  }
  return value
}

/** Whether the path leads to a private attribute, or through one. */
function isSecret(type: ContentType, path: readonly string[]): boolean {
  let holders: readonly AttributeHolder[] = [type]
  for (const step of path) {
    if (/^\d+$/.test(step)) continue
    const found: Attribute[] = []
    for (const { attributes } of holders) {
      const attribute = attributes.get(step)
      if (attribute !== undefined) found.push(attribute)
    }
    if (found.some((one) => one.private || one.type === 'password')) return true
    holders = found.flatMap((one) =>
      one.kind === 'component' ? [one.component] : one.kind === 'dynamiczone' ? one.components : [],
    )
  }
  return false
}

/** The payload in the form in which it is stored: relations are sets. */
function wholeOf(holder: AttributeHolder, data: Data, around: Data): Data {
  const whole: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(data)) {
    const attribute = holder.attributes.get(name)
    if (attribute === undefined || attribute.private || attribute.type === 'password') continue
    whole[name] = storedForm(attribute, value)
  }
  return { ...whole, ...around }
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
        return { ...(uid === undefined ? {} : { __component: uid }), ...wholeOf(component, element, {}) }
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
  return /^\d/.test(element)
    ? { id: /^\d+$/.test(element) ? Number(element) : element }
    : { documentId: element }
}

// Finds the media attribute at a path into a payload: `photo`, `seo.image`, `sections.0.image`.

import { isRecord } from '../lib/is-record.ts'
import type { MediaAttribute } from '../model/attribute.ts'
import type { Schema } from '../model/content-type.ts'

export function findMediaAt(
  schema: Schema,
  data: unknown,
  path: readonly string[],
): MediaAttribute | undefined {
  const [name, ...rest] = path
  const attribute = name === undefined ? undefined : schema.attributes.get(name)
  const value = isRecord(data) && name !== undefined && Object.hasOwn(data, name) ? data[name] : undefined
  switch (attribute?.kind) {
    case 'media':
      return attribute
    case 'component': {
      if (!attribute.repeatable) return findMediaAt(attribute.component, value, rest)
      const [index, ...below] = rest
      return findMediaAt(attribute.component, elementAt(value, index), below)
    }
    case 'dynamiczone': {
      const [index, ...below] = rest
      const element = elementAt(value, index)
      const uid = isRecord(element) ? element['__component'] : undefined
      const component = attribute.components.find((candidate) => candidate.uid === uid)
      return component === undefined ? undefined : findMediaAt(component, element, below)
    }
    default:
      return undefined
  }
}

function elementAt(list: unknown, index: string | undefined): unknown {
  return Array.isArray(list) && index !== undefined && /^\d{1,4}$/.test(index)
    ? list[Number(index)]
    : undefined
}

// Names components for people: their kind, and what tells one from others of its kind.

import type { Model } from '../../described.ts'
import { listAttributes, type Values } from './values.ts'

export function getComponentName(model: Model, uid: string): string {
  return model.components.find((component) => component.uid === uid)?.displayName ?? uid
}

const NAMING: readonly string[] = ['string', 'text', 'uid', 'enumeration', 'email', 'richtext']
const MAX_TITLE_LENGTH = 60

/** Its first text, also within its components; otherwise the first file or entry that it links to. */
export function nameComponent(item: Values, uid: string, model: Model): string {
  const attributes = listAttributes(model, uid).filter(({ private: hidden }) => hidden !== true)
  for (const { name, type } of attributes) {
    const value = item[name]
    if (NAMING.includes(type) && typeof value === 'string' && value.trim() !== '') return shorten(value)
  }
  for (const { name, kind, component } of attributes) {
    const value = item[name]
    if ((kind === 'media' || kind === 'relation') && Array.isArray(value) && value.length > 0)
      return shorten(String((value[0] as { label?: string }).label ?? ''))
    if (kind === 'component' && component !== undefined && value !== null && typeof value === 'object') {
      const [first] = Array.isArray(value) ? (value as readonly Values[]) : [value as Values]
      const named = first === undefined ? '' : nameComponent(first, component, model)
      if (named !== '') return named
    }
  }
  return ''
}

function shorten(text: string): string {
  const line = text.trim().split('\n')[0] ?? ''
  return line.length > MAX_TITLE_LENGTH ? `${line.slice(0, MAX_TITLE_LENGTH)}…` : line
}

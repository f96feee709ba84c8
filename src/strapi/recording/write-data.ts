// Converts the content before the first request to `data` of a configuration.

import { buildRecord, isRecord } from '../../lib/is-record.ts'
import { buildTypeKey } from '../import/convert-schema.ts'
import type { Json } from '../import/strapi-source.ts'
import { formatText } from '../import/strapi-source.ts'
import { type EntryResponse, getEntry, getRelated, type Snapshot } from './exchange.ts'
import { isWritten, type RecordedModel } from './recorded-model.ts'
import { isSecretName } from './secrets.ts'
import { buildKey } from './seen-entries.ts'

interface RecordedData {
  readonly data: Readonly<Record<string, readonly Json[] | Json>>
  readonly entries: number
  /** Required attributes without a value in some entry: `article.title`. */
  readonly missing: ReadonlySet<string>
}

export function getData(seen: ReadonlyMap<string, Snapshot>, model: RecordedModel): RecordedData {
  const found = findEntries(seen, model)
  const missing = new Set<string>()
  const data: Record<string, readonly Json[] | Json> = {}
  let count = 0
  for (const [uid, entries] of found) {
    const schema = buildRecord(model.contentTypes.get(uid))
    const written = [...entries.values()].map((entry) => writtenEntry(uid, entry))
    const [first] = written
    if (first === undefined) continue
    count += written.length
    const single = schema['kind'] === 'singleType' && written.length === 1
    data[buildTypeKey(uid, schema)] = single ? first : written
  }
  return { data, entries: count, missing }

  function writtenEntry(uid: string, { number, entry }: FoundEntry): Json {
    const { attributes, documentId } = entry
    const localizations =
      getRelated(attributes['localizations'])?.entries.flatMap((one) => listNumbers(uid, one)) ?? []
    const drafts =
      buildRecord(buildRecord(model.contentTypes.get(uid))['options'])['draftAndPublish'] === true
    const times = ['locale', 'createdAt', 'updatedAt', ...(drafts ? ['publishedAt'] : [])].flatMap((name) =>
      typeof attributes[name] === 'string' || (attributes[name] === null && name === 'publishedAt')
        ? [[name, attributes[name]]]
        : [],
    )
    return {
      id: number,
      ...(documentId !== undefined && { documentId }),
      ...writtenValues(uid, attributes),
      ...(localizations.length > 0 && { localizations }),
      ...Object.fromEntries(times),
    }
  }

  function writtenValues(uid: string, values: Json): Json {
    const written: Record<string, unknown> = {}
    for (const [name, definition] of Object.entries(model.getAttributes(uid))) {
      const attribute = buildRecord(definition)
      const value =
        isWritten(attribute) && !isSecretName(name) ? writtenValue(attribute, values[name]) : undefined
      if (value !== undefined && value !== null) written[name] = value
      else if (attribute['required'] === true) missing.add(`${uid}.${name}`)
      else if (attribute['default'] !== undefined && values[name] === null) written[name] = null
    }
    return written
  }

  function writtenValue(attribute: Json, value: unknown): unknown {
    if (value === null || value === undefined) return undefined
    switch (attribute['type']) {
      case 'relation': {
        // The other side has the same links.
        if (attribute['mappedBy'] !== undefined) return undefined
        const related = getRelated(value)
        const numbers =
          related?.entries.flatMap((one) => listNumbers(formatText(attribute['target']), one)) ?? []
        return numbers.length === 0 ? undefined : related?.many === true ? numbers : numbers[0]
      }
      case 'component': {
        const one = (part: unknown): Json =>
          writtenValues(formatText(attribute['component']), buildRecord(part))
        return Array.isArray(value) ? value.map(one) : one(value)
      }
      case 'dynamiczone':
        if (!Array.isArray(value)) return undefined
        return value.filter(isRecord).map((part) => {
          const component = formatText(part['__component'])
          return { __component: component, ...writtenValues(component, part) }
        })
      default:
        return value
    }
  }

  function listNumbers(uid: string, entry: EntryResponse): readonly number[] {
    const number = found.get(uid)?.get(buildKey(entry))?.number
    return number === undefined ? [] : [number]
  }
}

interface FoundEntry {
  /** With documents a new number, because ids belong to rows there. */
  readonly number: number
  readonly entry: EntryResponse
}

function findEntries(
  seen: ReadonlyMap<string, Snapshot>,
  model: RecordedModel,
): ReadonlyMap<string, ReadonlyMap<string, FoundEntry>> {
  const found = new Map<string, Map<string, FoundEntry>>(
    [...model.bySegment.values()].map((uid) => [uid, new Map()]),
  )
  const note = (uid: string, entry: EntryResponse | undefined): void => {
    const entries = found.get(uid)
    if (entry === undefined || entries === undefined || entries.has(buildKey(entry))) return
    const number = entry.documentId === undefined ? entry.id : entries.size + 1
    entries.set(buildKey(entry), { number, entry })
  }
  for (const [segment, { entries }] of seen)
    for (const one of entries) note(model.bySegment.get(segment) ?? '', getEntry(one))
  for (const [segment, { entries }] of seen) {
    for (const [name, definition] of Object.entries(
      model.getAttributes(model.bySegment.get(segment) ?? ''),
    )) {
      const { type, target } = buildRecord(definition)
      if (type !== 'relation') continue
      for (const one of entries)
        for (const entry of getRelated(getEntry(one)?.attributes[name])?.entries ?? [])
          note(formatText(target), entry)
    }
  }
  return found
}

// Converts a recorded request and response to those of a case: new entries' ids are captured, times match
// any, files and accounts are omitted.

import { buildRecord, isRecord } from '../../lib/is-record.ts'
import { formatText, type Json } from '../import/strapi-source.ts'
import { type EntryResponse, getEntry, getRelated } from './exchange.ts'
import { SYSTEM } from './infer-model.ts'
import { isWritten, type RecordedModel } from './recorded-model.ts'
import { HIDDEN } from './secrets.ts'

export interface Bodies {
  buildPath(uid: string, path: string, id: string | undefined): string
  toSent(uid: string, send: unknown): unknown
  toExpected(uid: string, body: unknown, isWrite: boolean, shows: (uid: string) => void): unknown
  findCapture(uid: string, body: unknown): Json
  written(uid: string, body: unknown): void
}

const TIMES = ['createdAt', 'updatedAt', 'publishedAt'] as const

export function createBodies(model: RecordedModel): Bodies {
  /** By uid and id, the name of the captured id. */
  const captured = new Map<string, string>()
  const changed = new Set<string>()
  const buildKey = (uid: string, { id, documentId }: Pick<EntryResponse, 'id' | 'documentId'>): string =>
    `${uid} ${documentId ?? id}`

  return {
    buildPath(uid, path, id) {
      const name = id === undefined ? undefined : captured.get(`${uid} ${id}`)
      return name === undefined ? path : `${path.slice(0, path.length - String(id).length)}{{${name}}}`
    },
    toSent(uid, send) {
      const { data, ...rest } = buildRecord(send)
      if (!isRecord(data)) return send
      return { ...rest, data: sentValues(uid, data) }
    },
    toExpected(uid, body, isWrite, shows) {
      const { data, ...rest } = buildRecord(body)
      if (data === undefined) return body
      const answered = (value: unknown): unknown => entryIn(uid, value, isWrite, shows)
      return { data: Array.isArray(data) ? data.map(answered) : answered(data), ...rest }
    },
    findCapture(uid, body) {
      const entry = getEntry(buildRecord(body)['data'])
      if (entry === undefined) return {}
      const count = [...captured.keys()].filter((key) => key.startsWith(`${uid} `)).length
      const name = `${(uid.split('.').at(-1) ?? 'entry').replaceAll(/\W/g, '_')}_${count + 1}`
      captured.set(buildKey(uid, entry), name)
      return { capture: { [name]: entry.documentId === undefined ? 'data.id' : 'data.documentId' } }
    },
    written(uid, body) {
      const entry = getEntry(buildRecord(body)['data'])
      if (entry !== undefined) changed.add(buildKey(uid, entry))
    },
  }

  function sentValues(uid: string, values: Json): Json {
    const definitions = model.getAttributes(uid)
    return Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) => {
        const attribute = definitions[name]
        // Security: where types are guessed, a value that responses never show may be a password.
        if (attribute === undefined) return model.inferred && !SYSTEM.has(name) ? [] : [[name, value]]
        const { private: isPrivate, required } = buildRecord(attribute)
        if (isPrivate === true && required !== true) return []
        return [[name, sentValue(buildRecord(attribute), value)]]
      }),
    )
  }

  function sentValue(attribute: Json, value: unknown): unknown {
    switch (attribute['type']) {
      case 'password':
        return value === null ? null : HIDDEN
      case 'relation':
        return linked(formatText(attribute['target']), value)
      case 'component': {
        const one = (part: unknown): unknown =>
          isRecord(part) ? sentValues(formatText(attribute['component']), part) : part
        return Array.isArray(value) ? value.map(one) : one(value)
      }
      case 'dynamiczone':
        return Array.isArray(value)
          ? value.map((part) => {
              const { __component: component, ...values } = buildRecord(part)
              return { __component: component, ...sentValues(formatText(component), values) }
            })
          : value
      default:
        return value
    }
  }

  function linked(uid: string, value: unknown): unknown {
    if (typeof value === 'number' || typeof value === 'string') {
      const name = captured.get(`${uid} ${value}`)
      return name === undefined ? value : `{{${name}}}`
    }
    if (Array.isArray(value)) return value.map((one) => linked(uid, one))
    if (!isRecord(value)) return value
    const kept = ['id', 'documentId', 'connect', 'disconnect', 'set']
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, kept.includes(key) ? linked(uid, one) : one]),
    )
  }

  function entryIn(uid: string, value: unknown, isNew: boolean, shows: (uid: string) => void): unknown {
    const entry = getEntry(value)
    if (entry === undefined) return value
    const { id, documentId, attributes } = entry
    const name = captured.get(buildKey(uid, entry))
    const values = valuesIn(
      uid,
      attributes,
      isNew || changed.has(buildKey(uid, entry)) || name !== undefined,
      shows,
    )
    const made = isNew && name === undefined && !changed.has(buildKey(uid, entry))
    // In Strapi 5, ids belong to rows and differ here.
    if (documentId !== undefined)
      return { documentId: name === undefined ? (made ? '<text>' : documentId) : `{{${name}}}`, ...values }
    const { attributes: _, id: __, ...rest } = buildRecord(value)
    return { id: name === undefined ? (made ? '<number>' : id) : `{{${name}}}`, attributes: values, ...rest }
  }

  function valuesIn(uid: string, values: Json, anyTime: boolean, shows: (uid: string) => void): Json {
    const definitions = model.getAttributes(uid)
    const written: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(values)) {
      const attribute = buildRecord(definitions[name])
      const isKnown =
        !model.inferred || definitions[name] !== undefined || SYSTEM.has(name) || name === '__component'
      if (!isWritten(attribute) || !isKnown) continue
      // Ids of component rows differ here.
      if (name === 'id') continue
      if ((TIMES as readonly string[]).includes(name) && anyTime)
        written[name] = value === null ? null : '<moment>'
      else if (name === 'localizations') {
        const related = getRelated(value)
        if (related !== undefined) written[name] = relationIn(uid, value, shows)
      } else written[name] = valueIn(attribute, value, shows)
    }
    return written
  }

  function valueIn(attribute: Json, value: unknown, shows: (uid: string) => void): unknown {
    switch (attribute['type']) {
      case 'relation':
        shows(formatText(attribute['target']))
        return relationIn(formatText(attribute['target']), value, shows)
      case 'component': {
        const one = (part: unknown): unknown =>
          isRecord(part) ? valuesIn(formatText(attribute['component']), part, false, shows) : part
        return Array.isArray(value) ? value.map(one) : one(value)
      }
      case 'dynamiczone':
        return Array.isArray(value)
          ? value.map((part) => {
              const component = formatText(buildRecord(part)['__component'])
              return { __component: component, ...valuesIn(component, buildRecord(part), false, shows) }
            })
          : value
      default:
        return value
    }
  }

  function relationIn(uid: string, value: unknown, shows: (uid: string) => void): unknown {
    const one = (entry: unknown): unknown => entryIn(uid, entry, false, shows)
    const inside = (data: unknown): unknown => (Array.isArray(data) ? data.map(one) : one(data))
    if (isRecord(value) && 'data' in value) return { ...value, data: inside(value['data']) }
    return inside(value)
  }
}

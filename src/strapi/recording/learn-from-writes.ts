// Learns about a guessed model from responses to writes: defaults, required and unique attributes.

import { buildRecord, isRecord } from '../../lib/is-record.ts'
import { formatText, type Json } from '../import/strapi-source.ts'
import { type Builder, type Exchange, getEntry } from './exchange.ts'
import { typeAt } from './read-builder.ts'

const WITH_DEFAULTS: ReadonlySet<unknown> = new Set(['boolean', 'integer', 'float', 'string'])

export function learnFromWrites(model: Builder, exchanges: readonly Exchange[]): Builder {
  const learnt = new Map<string, Map<string, Json>>()
  const learn = (uid: string, name: string, what: Json): void => {
    const attributes = learnt.get(uid) ?? new Map<string, Json>()
    learnt.set(uid, attributes.set(name, { ...attributes.get(name), ...what }))
  }
  for (const { method, path, send, status, body } of exchanges) {
    const type = typeAt(model, /^\/api\/([^/]+)$/.exec(path)?.[1] ?? '')
    if (method !== 'POST' || type === undefined) continue
    const { uid, schema } = type
    for (const { path: at, message } of getFaults(body)) {
      const [name] = at
      if (at.length !== 1 || typeof name !== 'string') continue
      if (/must be defined\.$/.test(message)) learn(uid, name, { required: true })
      if (/must be unique$/.test(message)) learn(uid, name, { unique: true })
    }
    const entry = getEntry(buildRecord(body)['data'])
    if (status >= 300 || entry === undefined) continue
    const sent = buildRecord(buildRecord(send)['data'])
    for (const [name, attribute] of Object.entries(buildRecord(schema['attributes']))) {
      const value = entry.attributes[name]
      if (name in sent || value === null || value === undefined) continue
      if (WITH_DEFAULTS.has(buildRecord(attribute)['type'])) learn(uid, name, { default: value })
    }
  }
  return {
    ...model,
    contentTypes: new Map(
      [...model.contentTypes].map(([uid, schema]) => {
        const attributes = Object.entries(buildRecord(schema['attributes'])).map(([name, attribute]) => [
          name,
          { ...buildRecord(attribute), ...learnt.get(uid)?.get(name) },
        ])
        return [uid, { ...schema, attributes: Object.fromEntries(attributes) }]
      }),
    ),
  }
}

function getFaults(
  body: unknown,
): readonly { readonly path: readonly unknown[]; readonly message: string }[] {
  const { errors } = buildRecord(buildRecord(buildRecord(body)['error'])['details'])
  if (!Array.isArray(errors)) return []
  return errors.filter(isRecord).map(({ path, message }) => ({
    path: Array.isArray(path) ? path : [],
    message: formatText(message),
  }))
}

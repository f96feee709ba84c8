// What answers to requests that write tell of a guessed model: what an attribute has when it is not sent, what must be sent,
// and what must be unique.

import { type Json, textOf } from '../strapi-import/strapi-source.ts'
import { isRecord, recordOf } from '../util/is-record.ts'
import { type Builder, type Exchange, entryOf } from './exchange.ts'
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
    for (const { path: at, message } of faultsOf(body)) {
      const [name] = at
      if (at.length !== 1 || typeof name !== 'string') continue
      if (/must be defined\.$/.test(message)) learn(uid, name, { required: true })
      if (/must be unique$/.test(message)) learn(uid, name, { unique: true })
    }
    const entry = entryOf(recordOf(body)['data'])
    if (status >= 300 || entry === undefined) continue
    const sent = recordOf(recordOf(send)['data'])
    for (const [name, attribute] of Object.entries(recordOf(schema['attributes']))) {
      const value = entry.attributes[name]
      if (name in sent || value === null || value === undefined) continue
      if (WITH_DEFAULTS.has(recordOf(attribute)['type'])) learn(uid, name, { default: value })
    }
  }
  return {
    ...model,
    contentTypes: new Map(
      [...model.contentTypes].map(([uid, schema]) => {
        const attributes = Object.entries(recordOf(schema['attributes'])).map(([name, attribute]) => [
          name,
          { ...recordOf(attribute), ...learnt.get(uid)?.get(name) },
        ])
        return [uid, { ...schema, attributes: Object.fromEntries(attributes) }]
      }),
    ),
  }
}

function faultsOf(body: unknown): readonly { readonly path: readonly unknown[]; readonly message: string }[] {
  const { errors } = recordOf(recordOf(recordOf(body)['error'])['details'])
  if (!Array.isArray(errors)) return []
  return errors.filter(isRecord).map(({ path, message }) => ({
    path: Array.isArray(path) ? path : [],
    message: textOf(message),
  }))
}

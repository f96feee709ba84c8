// Checks the stored values of a draft that is being published: the planner checks only sent values.

import { everyPermission } from '../access/principal.ts'
import type { ErrorItem } from '../lib/errors/api-error.ts'
import { isRecord } from '../lib/is-record.ts'
import type { Attribute } from '../model/attribute.ts'
import { hasVersions } from '../model/content-rules.ts'
import type { ContentType, Schema } from '../model/content-type.ts'
import type { Params, PopulateOptions } from '../plan/params.ts'
import { planWrite } from '../plan/write/plan-write.ts'
import type { EntryObject } from '../query/rows/to-object.ts'
import { withValue } from './refused-values.ts'

type Data = Readonly<Record<string, unknown>>

export function buildPublishingParams(type: ContentType): Params {
  return { publicationState: 'preview', populate: listPopulated(type) }
}

function listPopulated(schema: Schema): ReadonlyMap<string, PopulateOptions> {
  const populated = new Map<string, PopulateOptions>()
  for (const attribute of schema.attributes.values()) {
    const options = attribute.private ? undefined : optionsFor(attribute)
    if (options !== undefined) populated.set(attribute.name, options)
  }
  return populated
}

function optionsFor(attribute: Attribute): PopulateOptions | undefined {
  switch (attribute.kind) {
    case 'scalar':
      return undefined
    case 'relation':
    case 'media':
      return attribute.required ? (attribute.target === undefined ? {} : { fields: ['id'] }) : undefined
    case 'component':
      return { populate: listPopulated(attribute.component) }
    case 'dynamiczone':
      return {
        on: new Map(
          attribute.components.map((component) => [component.uid, { populate: listPopulated(component) }]),
        ),
      }
  }
}

/** `data`: the sent changes, which the planner checks. */
export function findStoredFaults(
  type: ContentType,
  stored: EntryObject,
  data: Data,
  looseRelations: boolean,
): readonly ErrorItem[] {
  const rest = Object.fromEntries(
    Object.entries(buildPayload(type, stored)).filter(([name]) => data[name] === undefined),
  )
  const documents = type.document !== undefined
  const options = {
    ...({ mode: 'create', draft: false, access: everyPermission, trusted: true, now: 0 } as const),
    versions: hasVersions(type),
    documents,
    looseRelations,
  }
  const { faults } = planWrite(type, rest, options)
  const found = faults.filter(({ path }) => {
    const name = path[0] ?? ''
    return data[name] === undefined && !hidden(type, path, rest)
  })
  return documents ? found.map((item) => withValue(type, item, rest, () => null)) : found
}

function buildPayload(schema: Schema, object: Data): Record<string, unknown> {
  const payload: Record<string, unknown> = {}
  for (const attribute of schema.attributes.values()) {
    if (!Object.hasOwn(object, attribute.name)) continue
    payload[attribute.name] = sentForm(attribute, object[attribute.name])
  }
  return payload
}

function sentForm(attribute: Attribute, value: unknown): unknown {
  if (Array.isArray(value) && attribute.kind !== 'scalar')
    return value.map((element) => sentForm(attribute, element))
  if (!isRecord(value)) return value
  switch (attribute.kind) {
    case 'scalar':
      return value
    case 'relation':
    case 'media':
      return attribute.target === undefined ? value : value['id']
    case 'component':
      return buildPayload(attribute.component, value)
    case 'dynamiczone': {
      const component = attribute.components.find(({ uid }) => uid === value['__component'])
      if (component === undefined) return value
      return { __component: component.uid, ...buildPayload(component, value) }
    }
  }
}

/** Private attributes are not read, so a fault about a missing one proves nothing. */
function hidden(schema: Schema, path: readonly string[], data: unknown): boolean {
  const [name, ...below] = path
  const attribute = name === undefined ? undefined : schema.attributes.get(name)
  if (attribute === undefined) return false
  if (attribute.private) return true
  let value = isRecord(data) ? data[attribute.name] : undefined
  if (Array.isArray(value)) value = value[Number(below.shift())]
  if (attribute.kind === 'component') return hidden(attribute.component, below, value)
  if (attribute.kind !== 'dynamiczone' || !isRecord(value)) return false
  const uid = value['__component']
  const component = attribute.components.find((candidate) => candidate.uid === uid)
  return component !== undefined && hidden(component, below, value)
}

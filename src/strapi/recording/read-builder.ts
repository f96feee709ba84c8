// Reads the model of the recorded server from its content-type-builder.

import type { Source } from '../../http/source.ts'
import { buildRecord, isRecord } from '../../lib/is-record.ts'
import { formatText, type Json } from '../import/strapi-source.ts'
import type { Builder } from './exchange.ts'
import type { RecordingBudget } from './recording-budget.ts'

/**
 * The admin's path needs an administrator's token; the API's path needs an action that a role or token may
 * have.
 */
export async function readBuilder(
  source: Source,
  token: string | undefined,
  adminToken: string | undefined,
  budget: RecordingBudget,
): Promise<Builder | undefined> {
  const readable = (response: unknown): readonly Json[] | undefined =>
    getList(response)?.filter((one) => budget.take(one))
  const doors = [
    ...(adminToken === undefined ? [] : [{ prefix: '', secret: adminToken }]),
    { prefix: '/api', secret: token },
  ]
  for (const { prefix, secret } of doors) {
    const types = readable(await source.get(`${prefix}/content-type-builder/content-types`, secret))
    if (types === undefined) continue
    const components = readable(await source.get(`${prefix}/content-type-builder/components`, secret)) ?? []
    return {
      contentTypes: new Map(types.map((type) => [formatText(type['uid']), buildSchema(type)])),
      components: new Map(components.map((one) => [formatText(one['uid']), buildSchema(one)])),
    }
  }
  return undefined
}

function getList(response: unknown): readonly Json[] | undefined {
  const { data } = buildRecord(response)
  return Array.isArray(data) ? data.filter((one) => isRecord(one) && isRecord(one['schema'])) : undefined
}

function buildSchema(described: Json): Json {
  const {
    displayName,
    singularName,
    pluralName,
    description,
    draftAndPublish,
    visible: _,
    restrictRelationsTo: __,
    ...schema
  } = buildRecord(described['schema'])
  const attributes = Object.entries(buildRecord(schema['attributes'])).map(([name, attribute]) => {
    const { targetAttribute: ___, ...kept } = buildRecord(attribute)
    return [name, kept]
  })
  return {
    ...schema,
    info: { displayName, singularName, pluralName, ...(description === '' ? {} : { description }) },
    options: { draftAndPublish: draftAndPublish === true },
    attributes: Object.fromEntries(attributes),
  }
}

interface SegmentType {
  readonly uid: string
  readonly schema: Json
}

export function typeAt({ contentTypes }: Builder, segment: string): SegmentType | undefined {
  for (const [uid, schema] of contentTypes)
    if (uid.startsWith('api::') && segmentFor(schema) === segment) return { uid, schema }
  return undefined
}

/** Undefined for a content-type of a plugin: accounts and files are not read. */
export function getSegment({ contentTypes }: Builder, uid: string): string | undefined {
  const schema = contentTypes.get(uid)
  return schema === undefined || !uid.startsWith('api::') ? undefined : segmentFor(schema)
}

function segmentFor(schema: Json): string {
  const { singularName, pluralName } = buildRecord(schema['info'])
  return formatText(schema['kind'] === 'singleType' ? singularName : pluralName)
}

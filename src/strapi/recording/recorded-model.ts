// The model of a recording: content-types and components with their attributes.

import { buildRecord } from '../../lib/is-record.ts'
import { formatText, type Json } from '../import/strapi-source.ts'
import type { Builder, Recording, Snapshot } from './exchange.ts'
import { inferModel } from './infer-model.ts'
import { learnFromWrites } from './learn-from-writes.ts'
import { getSegment } from './read-builder.ts'

export interface RecordedModel extends Builder {
  readonly inferred: boolean
  readonly bySegment: ReadonlyMap<string, string>
  getAttributes(uid: string): Json
}

export function getModel(recording: Recording, seen: ReadonlyMap<string, Snapshot>): RecordedModel {
  const { builder } = recording
  const model = builder ?? learnFromWrites(inferModel(seen), recording.exchanges)
  const own = [...model.contentTypes.keys()].filter((uid) => uid.startsWith('api::'))
  return {
    ...model,
    inferred: builder === undefined,
    bySegment: new Map(own.map((uid) => [getSegment(model, uid) ?? '', uid])),
    getAttributes: (uid) =>
      buildRecord((model.contentTypes.get(uid) ?? model.components.get(uid))?.['attributes']),
  }
}

/** Excludes files, accounts and passwords. */
export function isWritten(attribute: Json): boolean {
  const target = formatText(attribute['target'])
  return (
    attribute['type'] !== 'media' &&
    attribute['type'] !== 'password' &&
    !target.startsWith('plugin::') &&
    !target.startsWith('admin::')
  )
}

// The model of a recording, as what is written asks for it: content-types and components with their attributes.

import { buildRecord } from '../../lib/is-record.ts'
import { formatText, type Json } from '../import/strapi-source.ts'
import type { Builder, Recording, Snapshot } from './exchange.ts'
import { inferModel } from './infer-model.ts'
import { learnFromWrites } from './learn-from-writes.ts'
import { getSegment } from './read-builder.ts'

export interface RecordedModel extends Builder {
  /** Whether the content-types were guessed from answers. */
  readonly inferred: boolean
  /** By the first part of the path that serves it: its uid. */
  readonly bySegment: ReadonlyMap<string, string>
  /** The attributes of a content-type or component by its uid. */
  getAttributes(uid: string): Json
}

/** `seen`: see `seen-entries.ts`. */
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

/** Whether values of an attribute are written at all: files, accounts and passwords are not. */
export function isWritten(attribute: Json): boolean {
  const target = formatText(attribute['target'])
  return (
    attribute['type'] !== 'media' &&
    attribute['type'] !== 'password' &&
    !target.startsWith('plugin::') &&
    !target.startsWith('admin::')
  )
}

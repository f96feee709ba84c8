// Stores an entry's values before a change with the event, to decide who could see the entry.

import { listEntryPaths } from '../../../expressions/entry-paths.ts'
import { hasVersions } from '../../../model/content-rules.ts'
import type { ContentType } from '../../../model/content-type.ts'
import type { Params } from '../../../plan/params.ts'
import { everyEntry } from '../../../query/find-entries.ts'
import { buildPathParams } from '../../../query/params-of-paths.ts'
import type { ChangeRecorder } from '../../../write/recorded-changes.ts'
import type { PluginContext } from '../../plugin.ts'
import { isInImage } from './image-paths.ts'

/** Undefined if all entries of the type have the same visibility. */
export function createImages(
  { readingRules }: Pick<PluginContext, 'readingRules'>,
  types: ReadonlySet<ContentType>,
  sendsDeleted: (type: ContentType) => boolean,
): ChangeRecorder['paramsBefore'] {
  const images = new Map([...types].map((type) => [type, getImage(type)]))

  function getImage(type: ContentType): Params | undefined {
    const paths = readingRules(type)
      .flatMap((rule) => listEntryPaths(rule))
      .filter((names) => isInImage(type, names))
    const system = [type.publishedAt, type.locale].flatMap((attribute) => attribute?.name ?? [])
    if (paths.length === 0 && system.length === 0) return undefined
    const params = buildPathParams(type, paths)
    return { ...everyEntry, ...params, fields: [...(params.fields ?? []), ...system] }
  }

  return (type, action) => {
    const image = images.get(type)
    // A webhook sends a deleted entry or a removed version as it was, so all of it is stored.
    const takesAway = action === 'delete' || hasVersions(type)
    if (!takesAway || !sendsDeleted(type)) return image
    return { ...everyEntry, ...(image?.populate === undefined ? {} : { populate: image.populate }) }
  }
}

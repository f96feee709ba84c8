// Finds the content-types whose entries are published and unpublished at set times.

import type { Diagnostic } from '../../lib/errors/diagnostic.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { Model } from '../../model/model.ts'

export interface Schedule {
  readonly type: ContentType
  /** Names of attributes. */
  readonly publishAt: string | undefined
  readonly unpublishAt: string | undefined
}

export function listSchedules({ contentTypes }: Model): readonly Schedule[] {
  return [...contentTypes.values()].flatMap((type) => {
    const options = type.pluginOptions?.['scheduling']
    if (!isRecord(options)) return []
    const getName = (key: string): string | undefined =>
      typeof options[key] === 'string' ? options[key] : undefined
    const [publishAt, unpublishAt] = [getName('publishAt'), getName('unpublishAt')]
    return publishAt === undefined && unpublishAt === undefined ? [] : [{ type, publishAt, unpublishAt }]
  })
}

export function checkSchedules(model: Model): readonly Diagnostic[] {
  return listSchedules(model).flatMap(({ type, publishAt, unpublishAt }) => {
    const path = ['contentTypes', type.sourceKey ?? type.uid, 'pluginOptions', 'scheduling']
    const fault = (key: string | undefined, message: string, help: string): Diagnostic => ({
      code: 'PLG012',
      severity: 'error',
      path: key === undefined ? path : [...path, key],
      message,
      help,
    })
    if (!type.draftAndPublish)
      return [
        fault(
          undefined,
          `"${type.singularName}" has no drafts that could be published`,
          'add "drafts: true"',
        ),
      ]
    const named = { publishAt, unpublishAt }
    return Object.entries(named).flatMap(([key, name]) => {
      if (name === undefined || type.attributes.get(name)?.type === 'datetime') return []
      const message = `"${type.singularName}" has no attribute "${name}" of type datetime`
      return [fault(key, message, `add "${name}: datetime" to its attributes, or name another`)]
    })
  })
}

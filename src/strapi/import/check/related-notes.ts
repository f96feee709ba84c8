// Finds the sentences of a report that concern an addition.

import { type ImportReport, NOTE_GROUPS } from '../import-notes.ts'
import type { Addition } from './new-schemas.ts'

export function findRelatedNotes(addition: Addition, report: ImportReport): readonly string[] {
  const words = getWords(addition)
  return NOTE_GROUPS.flatMap((group) => report[group].filter((text) => mentions(text, words)))
}

/** As notes write it: files from the folder of the project, attributes after the name of their type. */
function getWords({ group, name }: Addition): string {
  switch (group) {
    case 'routes':
      return name.replace(' ', ' /api')
    case 'code':
      return /(?:^|\/)((?:src|config)\/[^#]*)/.exec(name)?.[1] ?? name
    case 'attributes':
      return name.split('.').slice(-2).join('.')
    default:
      return name
  }
}

/** Other names may begin or end with it. */
function mentions(text: string, words: string): boolean {
  const around = text.split(words)
  return around.slice(1).some((after, index) => !/[\w-]$/.test(around[index] ?? '') && !/^[\w/-]/.test(after))
}

// The content-type or component that a name in the file means; a name that means nothing is reported with the
// nearest one that does.

import type { DiagnosticPath, Report } from '../errors/diagnostic.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import type { Component, ContentType } from './content-type.ts'
import type { Holders } from './holders.ts'

/** By full uid; a short name such as `author` is refused with the uid it stands for. */
export function findContentType(
  uid: string,
  path: DiagnosticPath,
  holders: Holders,
  report: Report,
): ContentType | undefined {
  const found = holders.types.get(uid)
  if (found !== undefined) return found.built
  report({
    code: 'MOD010',
    severity: 'error',
    path,
    message: `unknown content-type "${uid}"`,
    ...helpWith(nearUid(uid, holders.types.keys()), holders.types.keys()),
  })
  return undefined
}

/** By `<category>.<name>`. */
export function findComponent(
  uid: string,
  path: DiagnosticPath,
  holders: Holders,
  report: Report,
): Component | undefined {
  const found = holders.components.get(uid)
  if (found !== undefined) return found.built
  report({
    code: 'MOD011',
    severity: 'error',
    path,
    message: `unknown component "${uid}"`,
    ...helpWith(nearUid(uid, holders.components.keys()), holders.components.keys()),
  })
  return undefined
}

/** The uid that a mistyped or shortened one means: by its last part first, then by its spelling. */
export function nearUid(text: string, uids: Iterable<string>): string | undefined {
  const known = [...uids]
  const exact = known.find((uid) => lastPart(uid) === text)
  if (exact !== undefined) return exact
  const near = didYouMean(text, known)
  if (near !== undefined) return near
  const lastParts = new Map(known.map((uid) => [lastPart(uid), uid]))
  const nearPart = didYouMean(lastPart(text), lastParts.keys())
  return nearPart === undefined ? undefined : lastParts.get(nearPart)
}

function lastPart(uid: string): string {
  return uid.slice(uid.lastIndexOf('.') + 1)
}

/** A suggestion, or what there is to choose from when it fits a line. */
function helpWith(near: string | undefined, known: Iterable<string>): { help?: string } {
  if (near !== undefined) return { help: `did you mean "${near}"?` }
  const names = [...known]
  if (names.length === 0) return {}
  const shown = names.slice(0, 5).join(', ')
  return { help: `known: ${shown}${names.length > 5 ? ` and ${names.length - 5} more` : ''}` }
}

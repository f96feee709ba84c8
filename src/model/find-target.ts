// Finds the content-type or component of a name; reports an unknown name with the nearest valid one.

import { didYouMean } from '../lib/did-you-mean.ts'
import type { DiagnosticPath } from '../lib/errors/diagnostic.ts'
import { toKebabCase } from '../lib/kebab-case.ts'
import { type Fault, formatSuggestion } from './checking.ts'
import type { Component, ContentType } from './content-type.ts'
import type { SchemaDrafts } from './schema-drafts.ts'

/** A short name such as `author` is refused, with the full uid in the message. */
export function findContentType(
  uid: string,
  path: DiagnosticPath,
  schemas: SchemaDrafts,
  fault: Fault,
): ContentType | undefined {
  const found = schemas.types.get(uid)
  if (found !== undefined) return found.built
  const known = [...schemas.types.keys()]
  fault('MOD020', path, `unknown content-type "${uid}"`, {
    help: formatSuggestion(suggestUid(uid, known), known),
  })
  return undefined
}

/** Takes `<category>.<name>`. */
export function findComponent(
  uid: string,
  path: DiagnosticPath,
  schemas: SchemaDrafts,
  fault: Fault,
): Component | undefined {
  const found = schemas.components.get(uid)
  if (found !== undefined) return found.built
  const known = [...schemas.components.keys()]
  const help = known.length === 0 ? 'components are declared under "components:"' : undefined
  fault('MOD021', path, `unknown component "${uid}"`, {
    help: help ?? formatSuggestion(suggestUid(uid, known), known),
  })
  return undefined
}

/**
 * `author` -> `api::author.author`, else the only content-type that ends with it; `ticketType` ->
 * `ticket-type`.
 */
export function expandTypeName(written: string, uids: Iterable<string>): string | undefined {
  const known = new Set(uids)
  if (known.has(written)) return written
  const name = toKebabCase(written)
  const short = `api::${name}.${name}`
  if (known.has(short)) return short
  const ending = [...known].filter((uid) => uid.startsWith('api::') && lastPart(uid) === name)
  return ending.length === 1 ? ending[0] : undefined
}

/** Compares the last part first, then the spelling. */
export function suggestUid(text: string, uids: Iterable<string>): string | undefined {
  const known = [...uids]
  const expanded = expandTypeName(text, known) ?? known.find((uid) => lastPart(uid) === lastPart(text))
  if (expanded !== undefined) return expanded
  const near = didYouMean(text, known)
  if (near !== undefined) return near
  const byLastPart = new Map(known.map((uid) => [lastPart(uid), uid]))
  const nearPart = didYouMean(lastPart(text), byLastPart.keys())
  return nearPart === undefined ? undefined : byLastPart.get(nearPart)
}

function lastPart(uid: string): string {
  return uid.slice(uid.lastIndexOf('.') + 1)
}

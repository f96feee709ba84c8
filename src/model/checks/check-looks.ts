// Checks what `console.types` says of content-types: their names, and attributes that cannot be shown where it says.

import { attributeTypes } from '../../attribute-types/attribute-types.ts'
import type { LookConfig } from '../../config/config.ts'
import { didYouMean } from '../../lib/did-you-mean.ts'
import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import type { Attribute } from '../attribute.ts'
import { type CheckContext, formatSuggestion } from '../checking.ts'
import type { ContentType } from '../content-type.ts'
import { findDataType, suggestDataType } from '../data/find-data-type.ts'

interface LookCheck extends Pick<CheckContext, 'fault'> {
  readonly type: ContentType
  /** With attributes whose declaration is wrong. */
  readonly declared: readonly string[]
}

export function checkLooks({ config, schemas, fault }: CheckContext): void {
  const types = new Map([...schemas.types].map(([uid, { built }]) => [uid, built]))
  const seen = new Map<ContentType, string>()
  for (const [name, look] of Object.entries(config.looks)) {
    const path = ['console', 'types', name]
    const type = findDataType(name, types)
    if (type === undefined) {
      const help = formatSuggestion(suggestDataType(name, types), types.keys())
      fault('MOD111', path, `unknown content-type "${name}"`, { at: 'key', help })
      continue
    }
    const before = seen.get(type)
    if (before !== undefined) {
      const message = `"${name}" is the same content-type as "${before}"`
      fault('MOD111', path, message, { at: 'key', help: 'join the two' })
    }
    seen.set(type, name)
    const declared = schemas.types.get(type.uid)?.source.attributes.map((one) => one.name) ?? []
    checkLook(look, path, { type, declared, fault })
  }
}

/** The content-types to which a role limits the console. */
export function checkConsoleTypes({ config, schemas, fault }: CheckContext): void {
  for (const [role, { console }] of Object.entries(config.auth.roles)) {
    for (const [index, name] of (console?.types ?? []).entries()) {
      const types = new Map([...schemas.types].map(([uid, { built }]) => [uid, built]))
      if (findDataType(name, types) !== undefined) continue
      const help = formatSuggestion(suggestDataType(name, types), types.keys())
      const path = ['auth', 'roles', role, 'console', 'types', index]
      fault('MOD111', path, `unknown content-type "${name}"`, { help })
    }
  }
}

function checkLook(look: LookConfig, path: DiagnosticPath, checking: LookCheck): void {
  const { title, list = [], preview } = look
  if (title !== undefined) checkText(title, [...path, 'title'], 'be the title of an entry', checking)
  for (const [index, name] of list.entries()) {
    const place = [...path, 'list', index]
    const attribute = findAttribute(name, place, checking)
    if (attribute !== undefined && isHidden(attribute)) failHidden(attribute, place, 'be a column', checking)
  }
  checkGroups(look.groups ?? [], [...path, 'groups'], checking)
  if (preview !== undefined) checkPreview(preview, [...path, 'preview'], checking)
}

function checkGroups(
  groups: NonNullable<LookConfig['groups']>,
  path: DiagnosticPath,
  checking: LookCheck,
): void {
  const { type, fault } = checking
  const placed = new Set<string>()
  for (const [at, { fields }] of groups.entries()) {
    for (const [index, name] of fields.entries()) {
      const place = [...path, at, 'fields', index]
      if (type.systemAttributes.has(name) || name === 'id')
        fault('MOD112', place, `"${name}" cannot be in a form: the server sets it`, { help: 'take it out' })
      else if (placed.has(name))
        fault('MOD111', place, `"${name}" is in another group already`, { help: 'leave it in one of them' })
      else findAttribute(name, place, checking)
      placed.add(name)
    }
  }
}

const PLACEHOLDER = /\{([^{}]*)\}/g

function checkPreview(preview: string, path: DiagnosticPath, checking: LookCheck): void {
  const { fault } = checking
  const example = preview.replaceAll(PLACEHOLDER, '1')
  if (/[{}]/.test(example)) {
    fault('MOD112', path, 'a brace of the address has no partner', { help: 'write attributes as "{slug}"' })
    return
  }
  if (!URL.canParse(example)) {
    fault('MOD112', path, `"${preview}" is no address`, { help: 'for example "https://example.com/{slug}"' })
    return
  }
  for (const { 0: whole, 1: name = '', index } of preview.matchAll(PLACEHOLDER)) {
    const within = [index, index + whole.length] as const
    const at: LookCheck['fault'] = (code, place, message, more) =>
      fault(code, place, message, { ...more, within })
    checkText(name, path, 'be part of an address', { ...checking, fault: at })
  }
}

/** The attribute has one plain value, which everybody who reads the entry may see. */
function checkText(name: string, path: DiagnosticPath, use: string, checking: LookCheck): void {
  const attribute = findAttribute(name, path, checking)
  if (attribute === undefined) return
  if (isHidden(attribute)) failHidden(attribute, path, use, checking)
  else if (attribute.kind !== 'scalar' || attributeTypes[attribute.type].unique === 'never') {
    const message = `"${name}" cannot ${use}: it is of type ${attribute.type}`
    checking.fault('MOD112', path, message, { help: 'choose an attribute with one value, such as a text' })
  }
}

function isHidden(attribute: Attribute): boolean {
  return attribute.private || (attribute.kind === 'scalar' && attributeTypes[attribute.type].secret)
}

function failHidden({ name }: Attribute, path: DiagnosticPath, use: string, { fault }: LookCheck): void {
  fault('MOD112', path, `"${name}" cannot ${use}: it is never answered`, { help: 'choose another attribute' })
}

function findAttribute(
  name: string,
  path: DiagnosticPath,
  { type, declared, fault }: LookCheck,
): Attribute | undefined {
  const found = type.attributes.get(name) ?? (name === 'id' ? type.id : type.systemAttributes.get(name))
  // One that is declared wrongly has a fault of its own.
  if (found !== undefined || declared.includes(name)) return found
  const known = [...declared, 'id', ...type.systemAttributes.keys()]
  const help = formatSuggestion(didYouMean(name, known), known)
  fault('MOD111', path, `${type.uid} has no attribute "${name}"`, { help })
  return undefined
}

// Reads the edits that an agent sends, and describes them to it.

import { didYouMean } from '../lib/did-you-mean.ts'
import { isRecord } from '../lib/is-record.ts'
import { ToolFault } from '../plugins/agent-tools.ts'
import type { JsonSchema } from '../plugins/openapi-operation.ts'
import type { FileEdit } from './edit-operations.ts'

const MAX_EDITS = 50
const MAX_ENTRIES = 200
const MAX_DEPTH = 20

type Member =
  | 'type'
  | 'component'
  | 'attribute'
  | 'value'
  | 'attributes'
  | 'options'
  | 'role'
  | 'permission'
  | 'rule'
  | 'to'
  | 'entries'
  | 'path'

interface EditShape {
  readonly needs: readonly Member[]
  readonly may?: readonly Member[]
  /** Whether it is about a content-type or a component. */
  readonly hasSubject?: boolean
  readonly description: string
}

const SHAPES: Readonly<Record<FileEdit['do'], EditShape>> = {
  addType: {
    needs: ['type', 'attributes'],
    may: ['options'],
    description:
      'a content-type; options: { drafts: true, localized: true, kind: single, unique: [[a, b]], … }',
  },
  addComponent: { needs: ['component', 'attributes'], description: 'a component, as "seo" or "shared.seo"' },
  setAttribute: {
    needs: ['attribute', 'value'],
    hasSubject: true,
    description:
      'adds or replaces an attribute or relation; value as in the file: "string!", "author", ["tag"], { type: text, private: true }',
  },
  rename: {
    needs: ['to'],
    may: ['attribute'],
    hasSubject: true,
    description: 'renames an attribute, a content-type or a component, with its stored values',
  },
  remove: {
    needs: [],
    may: ['attribute'],
    hasSubject: true,
    description: 'an attribute, a content-type or a component',
  },
  allow: {
    needs: ['role', 'permission'],
    may: ['rule'],
    description:
      'a permission such as "article.read", with a rule { where, check, set, fields } or without; replaces the same permission',
  },
  revoke: { needs: ['role', 'permission'], description: 'a permission as the file writes it' },
  addEntries: { needs: ['type', 'entries'], description: 'first entries (data)' },
  set: {
    needs: ['path', 'value'],
    description:
      'any value below contentTypes, singleTypes, components, data, public, auth.roles, name, description',
  },
  unset: { needs: ['path'], description: 'removes the value at a path' },
}

const text = (description: string): JsonSchema => ({ type: 'string', description })
const map = (description: string): JsonSchema => ({ type: 'object', description })

const MEMBERS: Readonly<Record<Member, JsonSchema>> = {
  type: text('A content-type, such as "article"'),
  component: text('A component, instead of a content-type'),
  attribute: text('The name of an attribute'),
  value: { description: 'The value, as the file writes it' },
  attributes: map('Attributes by name, as the file writes them: { "title": "string!", "tags": ["tag"] }'),
  options: map('Keys beside the attributes'),
  role: text('A role, such as "public"'),
  permission: text('A permission, such as "article.read", "article.create" or "article.*"'),
  rule: map('{ "where": "owner == me", "set": { "owner": "me" }, "check": "…", "fields": ["title"] }'),
  to: text('The new name'),
  entries: { type: 'array', items: { type: 'object' }, maxItems: MAX_ENTRIES },
  path: {
    type: 'array',
    items: { type: ['string', 'integer'] },
    description: 'Keys from the root of the file',
  },
}

export const EDITS_SCHEMA: JsonSchema = {
  type: 'array',
  maxItems: MAX_EDITS,
  description: `Edits in order. "do" is one of: ${Object.entries(SHAPES)
    .map(([name, { description }]) => `${name} (${description})`)
    .join('; ')}.`,
  items: {
    type: 'object',
    properties: { do: { type: 'string', enum: Object.keys(SHAPES) }, ...MEMBERS },
    required: ['do'],
    additionalProperties: false,
  },
}

/** Throws ToolFault. */
export function readEdits(given: unknown): readonly FileEdit[] {
  if (!Array.isArray(given) || given.length === 0) throw new ToolFault('"edits" is a list of edits.')
  if (given.length > MAX_EDITS)
    throw new ToolFault(`"edits" has ${given.length} edits: send ${MAX_EDITS} at most, then the others.`)
  return given.map((edit: unknown, index) => readEdit(edit, `edits[${index}]`))
}

function readEdit(given: unknown, place: string): FileEdit {
  if (!isRecord(given)) throw new ToolFault(`${place} is a map with "do".`)
  const name = String(given['do'])
  const shape = Object.hasOwn(SHAPES, name) ? SHAPES[name as FileEdit['do']] : undefined
  if (shape === undefined) {
    const near = didYouMean(name, Object.keys(SHAPES))
    const hint =
      near === undefined ? `: it is one of ${Object.keys(SHAPES).join(', ')}` : `: did you mean "${near}"?`
    throw new ToolFault(`${place}.do cannot be "${name.slice(0, 100)}"${hint}`)
  }
  const { needs, may = [], hasSubject = false } = shape
  const known: readonly string[] = ['do', ...needs, ...may, ...(hasSubject ? ['type', 'component'] : [])]
  for (const key of Object.keys(given))
    if (!known.includes(key))
      throw new ToolFault(`${place}: "${name}" has no "${key.slice(0, 100)}": it takes ${known.join(', ')}.`)
  for (const key of needs)
    if (given[key] === undefined) throw new ToolFault(`${place}: "${name}" needs "${key}".`)
  if (hasSubject && (given['type'] === undefined) === (given['component'] === undefined))
    throw new ToolFault(`${place}: "${name}" needs either "type" or "component".`)
  for (const [key, value] of Object.entries(given)) checkMember(key as Member, value, `${place}.${key}`)
  const { options = {}, attribute, rule } = given
  return { ...given, ...(name === 'addType' && { options }), attribute, rule } as unknown as FileEdit
}

function checkMember(member: Member | 'do', value: unknown, place: string): void {
  checkValue(value, place)
  if (member === 'do' || member === 'value') return
  const { type } = MEMBERS[member]
  if (type === 'string' && (typeof value !== 'string' || !NAME.test(value)))
    throw new ToolFault(`${place} is a name of at most 100 characters.`)
  if (type === 'object' && !isRecord(value)) throw new ToolFault(`${place} is a map.`)
  if (type !== 'array') return
  if (!Array.isArray(value)) throw new ToolFault(`${place} is a list.`)
  if (member === 'entries' && (value.length > MAX_ENTRIES || !value.every(isRecord)))
    throw new ToolFault(`${place} is a list of at most ${MAX_ENTRIES} maps.`)
  const isStep = (step: unknown): boolean => typeof step === 'string' || Number.isInteger(step)
  if (member === 'path' && (value.length === 0 || value.length > MAX_DEPTH || !value.every(isStep)))
    throw new ToolFault(`${place} is a list of keys from the root of the file, and of indexes.`)
}

const NAME = /^[^\s$][^\n$]{0,99}$/

function checkValue(value: unknown, place: string, depth = 0): void {
  if (depth > MAX_DEPTH) throw new ToolFault(`${place} is nested deeper than ${MAX_DEPTH} levels.`)
  // A variable of the environment would become readable as content.
  if (typeof value === 'string' && value.includes('${'))
    throw new ToolFault(`${place} has "\${": edits name no variables of the environment.`)
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    checkValue(key, place)
    checkValue(inner, `${place}.${key}`, depth + 1)
  }
}

// Keeps unsaved values of forms in the browser, so that a crash or a lost session does not lose them.

import type { Attribute, Model, Type } from '../../described.ts'
import { listAttributes, type Values } from './values.ts'

export interface KeptDraft {
  /** Epoch milliseconds. */
  readonly at: number
  /** The version of the entry that the draft began with. */
  readonly tag?: string | undefined
  readonly values: Values
  /** What the changed attributes were before. */
  readonly original: Values
}

const PREFIX = 'draft '
const MAX_DRAFTS = 40
const MAX_DRAFT_CHARACTERS = 300_000

/** The id of a user; undefined for a developer. */
type Person = number | undefined

/** Two people who share a browser do not see the drafts of each other. */
export function buildDraftKey(
  person: Person,
  type: Type,
  id: string | undefined,
  query: URLSearchParams,
): string {
  const named = ['locale', 'of', 'from'].map((name) => query.get(name) ?? '')
  return `${buildPrefix(person)}${[type.uid, id ?? 'new', ...named].join(' ')}`
}

function buildPrefix(person: Person): string {
  return `${PREFIX}${location.origin} ${person ?? 'developer'} `
}

/** Who signs out leaves nothing in the browser. */
export function forgetDrafts(person: Person): void {
  changeStorage(() => {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(buildPrefix(person)))
    for (const key of keys) localStorage.removeItem(key)
  })
}

export function readDraft(key: string): KeptDraft | undefined {
  try {
    const draft = JSON.parse(localStorage.getItem(key) ?? 'null') as Partial<KeptDraft> | null
    if (typeof draft?.at !== 'number' || typeof draft.values !== 'object') return undefined
    return { at: draft.at, tag: draft.tag, values: draft.values, original: draft.original ?? {} }
  } catch {
    return undefined
  }
}

export function keepDraft(key: string, draft: KeptDraft): void {
  const text = JSON.stringify(draft)
  if (text.length > MAX_DRAFT_CHARACTERS) return
  changeStorage(() => {
    localStorage.setItem(key, text)
    for (const old of listOldDrafts()) localStorage.removeItem(old)
  })
}

export function removeDraft(key: string): void {
  changeStorage(() => localStorage.removeItem(key))
}

function changeStorage(change: () => void): void {
  try {
    change()
  } catch {
    // A browser without space or permission keeps nothing.
  }
}

function listOldDrafts(): readonly string[] {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => ({ key, at: readDraft(key)?.at ?? 0 }))
    .sort((one, other) => other.at - one.at)
    .slice(MAX_DRAFTS)
    .map(({ key }) => key)
}

/** Without passwords and private values, within components, too. */
export function omitSecrets(attributes: readonly Attribute[], values: Values, model: Model): Values {
  const kept: Record<string, unknown> = {}
  for (const attribute of attributes) {
    const value = values[attribute.name]
    if (value === undefined || attribute.private === true || attribute.type === 'password') continue
    kept[attribute.name] = omitInner(attribute, value, model)
  }
  return kept
}

function omitInner({ kind, component }: Attribute, value: unknown, model: Model): unknown {
  if ((kind !== 'component' && kind !== 'dynamiczone') || value === null) return value
  const omit = (item: Values): Values => {
    const { id, __component: uid } = item
    return {
      ...(id !== undefined && { id }),
      ...(uid !== undefined && { __component: uid }),
      ...omitSecrets(listAttributes(model, component ?? String(uid)), item, model),
    }
  }
  return Array.isArray(value) ? value.map((item) => omit(item as Values)) : omit(value as Values)
}

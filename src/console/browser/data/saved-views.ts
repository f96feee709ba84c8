// Keeps named views of each content-type in this browser.

import type { Type } from '../../described.ts'

export interface SavedView {
  readonly name: string
  /** Its part of the address. */
  readonly query: string
}

/** `person`: views of several people in one browser stay apart; empty while the caller has no name. */
export function readSavedViews({ uid }: Type, person = ''): readonly SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(getStorageKey(uid, person)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isSavedView) : []
  } catch {
    return []
  }
}

export function writeSavedViews({ uid }: Type, views: readonly SavedView[], person = ''): void {
  localStorage.setItem(getStorageKey(uid, person), JSON.stringify(views))
}

function getStorageKey(uid: string, person: string): string {
  return `console-views:${person}:${uid}`
}

function isSavedView(value: unknown): value is SavedView {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    'query' in value &&
    typeof value.name === 'string' &&
    typeof value.query === 'string'
  )
}

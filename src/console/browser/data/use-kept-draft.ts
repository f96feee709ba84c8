// Keeps the unsaved values of a form in the browser while it is drawn, and when it or its tab is left.

import { useEffect } from 'preact/hooks'
import type { Attribute, Model } from '../../described.ts'
import type { FormState } from './form-state.ts'
import { keepDraft, omitSecrets, removeDraft } from './kept-drafts.ts'
import type { Values } from './values.ts'

const KEEP_AFTER_MS = 400

interface KeptDraftOptions {
  readonly key: string
  /** Of the last drawing; `latest()` is newer within an action that waits. */
  readonly state: FormState
  latest(): FormState
  listChanged(): readonly Attribute[]
  /** Whether the page may be left, and keeps nothing more. */
  readonly isReleased: { readonly current: boolean }
  readonly model: Model
}

/** Returns the function that keeps them at once. */
export function useKeptDraft({
  key,
  state,
  latest,
  listChanged,
  isReleased,
  model,
}: KeptDraftOptions): () => void {
  const keep = (): void => {
    const { values, original, tag, offered, entry } = latest()
    if (entry === undefined || isReleased.current) return
    const changed = listChanged()
    const pick = (from: Values): Values => omitSecrets(changed, from, model)
    const draft = {
      at: Date.now(),
      tag,
      values: { ...offered?.values, ...pick(values) },
      original: { ...offered?.original, ...pick(original) },
    }
    // An offered draft stays until it is answered.
    if (changed.length > 0 && Object.keys(draft.values).length > 0) keepDraft(key, draft)
    else if (offered === undefined) removeDraft(key)
  }
  useEffect(() => {
    if (state.entry === undefined) return
    const timer = setTimeout(keep, KEEP_AFTER_MS)
    return () => clearTimeout(timer)
  }, [state.values, state.original, state.offered])
  useEffect(() => {
    addEventListener('pagehide', keep)
    return () => {
      removeEventListener('pagehide', keep)
      keep()
    }
  }, [])
  return keep
}

// Reads an entry into a form, keeps what its editor changes, and saves it.

import { useEffect, useRef, useState } from 'preact/hooks'
import type { Attribute, Entry, Model, Type } from '../../described.ts'
import { useLive } from '../live.ts'
import { say } from '../messages.ts'
import { goTo } from '../route.ts'
import { ask, type Fault, RequestError } from '../server.ts'
import { checkValues } from './check-values.ts'
import { describeConflict, isEqual, mergeValues } from './conflict.tsx'
import { explainFault } from './explain-fault.ts'
import {
  buildRequestKey,
  FIRST_STATE,
  type FormState,
  isChecked,
  isLive,
  isNews,
  isUnreachable,
  labelAll,
  pickChanged,
  type SaveRequest,
} from './form-state.ts'
import { formatTitle } from './format-value.ts'
import { buildDraftKey, keepDraft, omitSecrets, readDraft, removeDraft } from './kept-drafts.ts'
import { getPage, readEntry, readTagged } from './load.ts'
import { removeLater } from './remove-later.ts'
import { useKeptDraft } from './use-kept-draft.ts'
import { buildChanges, buildFormValues, buildPayload, copyValues, type Values } from './values.ts'
import { setPublished, writeEntry } from './write.ts'

interface FormOptions {
  readonly type: Type
  readonly model: Model
  readonly id: string | undefined
  /** `from`: the entry to copy. `locale`, `of`: content of the entry `of` in another locale. */
  readonly query: URLSearchParams
  /** Texts that no value can be made of yet, such as unfinished JSON. */
  listInputFaults(): readonly Fault[]
}

/** `state` of the last drawing; `latest()` is newer within an action that waits. */
export function useEntryForm({ type, model, id, query, listInputFaults }: FormOptions) {
  const [state, setState] = useState(FIRST_STATE)
  const known = useRef(state)
  const isReleased = useRef(false)
  const latest = (): FormState => known.current
  const update = (change: Partial<FormState>): void => {
    known.current = { ...known.current, ...change }
    setState(known.current)
  }
  const single = type.kind === 'singleType'
  const locale = query.get('locale') ?? undefined
  const person = useLive().login?.user?.id
  const draftKey = buildDraftKey(person, type, id, query)
  const listChanged = ({ values, original }: FormState = latest()): readonly Attribute[] =>
    type.attributes.filter(({ name }) => !isEqual(values[name], original[name]))

  const keep = useKeptDraft({ key: draftKey, state, latest, listChanged, isReleased, model })

  /** Values that changed after `since` stay. */
  const show = (found: Entry | undefined, tag: string | undefined, since?: Values): void => {
    const stored = found === undefined ? {} : buildFormValues(type.attributes, found, model)
    const { values } = latest()
    const later = since === undefined ? {} : pickChanged(values, since)
    update({ entry: found ?? null, tag, conflicts: {}, values: { ...stored, ...later }, original: stored })
  }
  const read = async (since?: Values): Promise<void> => {
    const { value, tag } = await readTagged(type, model, id, locale)
    show(value, tag, since)
  }
  const refuse = (error: unknown): false => {
    const faults = error instanceof RequestError ? error.faults.map(explainFault) : []
    const text = isUnreachable(error)
      ? say('The server does not answer. Try again later.')
      : (error as Error).message
    update({
      faults,
      refusals: latest().refusals + 1,
      progress: { kind: 'idle' },
      said: faults.length > 0 ? undefined : { text, wrong: true },
    })
    return false
  }
  useEffect(() => {
    const start = async (): Promise<void> => {
      if (single || id !== undefined) await read()
      else show(undefined, undefined)
      const from = query.get('from') ?? query.get('of')
      const copied = from === null ? undefined : await readEntry(type, model, from)
      if (copied !== undefined) update({ values: copyValues(type.attributes, copied, model) })
      const draft = readDraft(draftKey)
      if (draft !== undefined && isNews(draft.values, latest().values)) update({ offered: draft })
    }
    start().catch(refuse)
  }, [])

  const restore = (): void => {
    const { offered, values, original, tag } = latest()
    if (offered === undefined) return
    const names = Object.keys(offered.values).filter((name) =>
      type.attributes.some((one) => one.name === name),
    )
    const now = Object.fromEntries(names.map((name) => [name, original[name]]))
    const { merged, both } =
      offered.tag === tag
        ? { merged: offered.values, both: {} }
        : mergeValues(offered.original, offered.values, now)
    const taken = Object.fromEntries(names.map((name) => [name, merged[name]]))
    const text = describeConflict(labelAll(type, Object.keys(both)), [])
    update({
      offered: undefined,
      values: { ...values, ...taken },
      conflicts: both,
      ...(Object.keys(both).length > 0 && { said: { text, wrong: true } }),
    })
  }
  const dropOffered = (): void => {
    removeDraft(draftKey)
    update({ offered: undefined })
  }

  /** Keeps the editor's changes, and shows those of others beside them. */
  const meet = async (request?: SaveRequest): Promise<boolean> => {
    const { value: found, tag } = await readTagged(type, model, id, locale)
    const { original, values } = latest()
    if (found === undefined) {
      update({
        progress: { kind: 'idle' },
        said: { text: say('Somebody else deleted the entry meanwhile.'), wrong: true },
      })
      return false
    }
    const theirs = buildFormValues(type.attributes, found, model)
    const { merged, both, others } = mergeValues(original, values, theirs)
    update({ entry: found, tag, original: { ...original, ...theirs }, values: merged, conflicts: both })
    // The first try had arrived, but its response had not.
    if (request !== undefined && listChanged().length === 0 && others.length === 0) {
      if (request.publish !== undefined) await setPublished(type, model, found, request.publish, tag)
      if (request.publish !== undefined) await read(merged)
      finish()
      return true
    }
    const text = describeConflict(labelAll(type, Object.keys(both)), labelAll(type, others))
    update({ progress: { kind: 'idle' }, said: { text, wrong: true } })
    return false
  }
  const finish = (): void => {
    update({ progress: { kind: 'saved', at: Date.now() }, said: undefined, faults: [], offered: undefined })
    if (listChanged().length === 0) removeDraft(draftKey)
  }

  const send = async (request: SaveRequest, attempts: number): Promise<boolean> => {
    update({ progress: { kind: 'saving' }, faults: [], said: undefined })
    const { target, sent, publish, values } = request
    try {
      const written = await writeEntry(type, model, target, sent, publish)
      if (target.isNew && id === undefined && !single && written !== undefined) {
        leaveTo(written, values)
        return true
      }
      await read(values).catch(() => update({ original: values }))
      finish()
      return true
    } catch (error) {
      if (isUnreachable(error)) update({ progress: { kind: 'waiting', request, attempts } })
      else if (error instanceof RequestError && error.status === 412)
        return await meet(attempts > 0 ? request : undefined).catch(refuse)
      else refuse(error)
      return false
    }
  }
  /** What was written after the new entry was sent is offered at its page. */
  const leaveTo = (written: Entry, sent: Values): void => {
    const later = Object.keys(pickChanged(latest().values, sent))
    const attributes = type.attributes.filter(({ name }) => later.includes(name))
    const page = getPage(type, written)
    removeDraft(draftKey)
    release()
    if (later.length > 0) {
      const [, , , key = ''] = page.split(/[/?]/)
      keepDraft(buildDraftKey(person, type, key, new URLSearchParams(page.split('?')[1] ?? '')), {
        at: Date.now(),
        values: omitSecrets(attributes, latest().values, model),
        original: omitSecrets(attributes, sent, model),
      })
    }
    goTo(page)
  }
  /** The page may be left, and keeps nothing more. */
  const release = (): void => {
    isReleased.current = true
    update({ progress: { kind: 'saved', at: Date.now() } })
  }

  const save = async (publish?: boolean): Promise<boolean> => {
    const { entry, values, original, tag, progress, conflicts, refusals } = latest()
    if (progress.kind === 'saving' || entry === undefined) return false
    if (progress.kind === 'waiting' && !(await send(progress.request, progress.attempts + 1))) return false
    if (isReleased.current) return true
    if (progress.kind === 'waiting' && listChanged().length === 0) return true
    const unsolved = Object.keys(conflicts)
    if (unsolved.length > 0) {
      const text = describeConflict(labelAll(type, unsolved), [])
      update({ refusals: refusals + 1, said: { text, wrong: true } })
      return false
    }
    const isNew = entry === null
    const changed = listChanged()
    const whole = isNew || publish === true
    const checked = whole ? type.attributes.filter((one) => isChecked(one, isNew, values)) : changed
    const draft = type.draftAndPublish && publish !== true && !isLive(model, entry)
    const faults = [...checkValues(checked, values, { model, draft, whole }), ...listInputFaults()]
    if (faults.length > 0) {
      update({ faults, refusals: refusals + 1, said: undefined })
      return false
    }
    const sent = isNew
      ? buildPayload(changed, values, model, false)
      : buildChanges(changed, values, original, model)
    const target = { id, isNew, locale, of: query.get('of') ?? undefined, tag, requestKey: buildRequestKey() }
    return send({ target, sent, publish, values, repeatable: isNew || tag !== undefined }, 0)
  }
  const changeState = async (publish: boolean): Promise<void> => {
    const { entry, tag, values } = latest()
    if (entry === undefined) return
    if (entry === null || listChanged().length > 0) {
      await save(publish)
      return
    }
    update({ progress: { kind: 'saving' }, faults: [], said: undefined })
    try {
      await setPublished(type, model, entry, publish, tag)
      await read(values)
      finish()
    } catch (error) {
      if (error instanceof RequestError && error.status === 412) await meet().catch(refuse)
      else refuse(error)
    }
  }
  const reveal = async (): Promise<void> => {
    const { entry } = latest()
    if (entry === undefined || entry === null) return
    try {
      const response = await ask<Values>('private', { type: type.uid, id: entry.id })
      const found = buildFormValues(type.attributes, response, model)
      const { original, values } = latest()
      update({ original: { ...original, ...found }, values: { ...found, ...values } })
    } catch (error) {
      refuse(error)
    }
  }
  const remove = (): void => {
    const { entry, tag } = latest()
    if (entry === undefined || entry === null) return
    const page = single ? `/data/${type.name}` : getPage(type, entry)
    keep()
    removeLater({
      ...{ type, entry, tag },
      title: formatTitle(type, entry),
      onUndo: () => goTo(page),
      onRemoved: () => removeDraft(draftKey),
    })
    release()
    goTo(single ? '/' : `/data/${type.name}`)
  }
  return {
    state,
    changed: listChanged(state),
    isDirty: () => !isReleased.current && listChanged().length > 0,
    setValue: (name: string, value: unknown) => {
      const { values, progress } = latest()
      const isKept = progress.kind === 'saving' || progress.kind === 'waiting'
      update({ values: { ...values, [name]: value }, ...(!isKept && { progress: { kind: 'idle' } }) })
    },
    /** `theirs`: their value is taken. */
    solve: (name: string, theirs: boolean) => {
      const { [name]: value, ...conflicts } = latest().conflicts
      update({ conflicts, ...(Object.keys(conflicts).length === 0 && { said: undefined }) })
      if (theirs) update({ values: { ...latest().values, [name]: value } })
    },
    /** Forgets the changes, so that the page can be left. */
    discard: () => {
      removeDraft(draftKey)
      release()
    },
    tryAgain: async () => {
      const { progress } = latest()
      return progress.kind === 'waiting' && send(progress.request, progress.attempts + 1)
    },
    setPublished: changeState,
    ...{ save, restore, dropOffered, reveal, remove },
  }
}

export type EntryFormState = ReturnType<typeof useEntryForm>

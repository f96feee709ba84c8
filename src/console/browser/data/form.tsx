// The form for one entry: its fields, what is wrong with them, how it is saved, and a panel beside them.

import { useEffect, useRef, useState } from 'preact/hooks'
import type { Model, Type } from '../../described.ts'
import { say } from '../messages.ts'
import type { Fault } from '../server.ts'
import { useEntryRights } from './entry-rights.ts'
import { FaultSummary } from './fault-summary.tsx'
import { FormFields } from './form-fields.tsx'
import { formatTime, formatTitle, nameWithin } from './format-value.ts'
import { LeaveQuestion } from './leave-question.tsx'
import { formatLocale } from './locale-links.tsx'
import { listActions } from './save-actions.ts'
import { SaveBar } from './save-bar.tsx'
import { useSaveKeys } from './save-keys.ts'
import { SidePanel } from './side-panel.tsx'
import { useEntryForm } from './use-entry-form.ts'

interface FormProps {
  readonly type: Type
  readonly model: Model
  readonly id: string | undefined
  /** `from`: the entry to copy. `locale`, `of`: content of the entry `of` in another locale. */
  readonly query: URLSearchParams
}

export function EntryForm({ type: whole, model, id, query }: FormProps) {
  const element = useRef<HTMLFormElement>(null)
  const listInputFaults = (): readonly Fault[] => findInputFaults(element.current)
  const form = useEntryForm({ type: whole, model, id, query, listInputFaults })
  const rights = useEntryRights(whole, form.state.entry)
  const type = rights ?? whole
  const [compared, setCompared] = useState<string>()
  const { entry, values, faults, refusals, conflicts, said, progress, offered } = form.state
  const dirty = form.changed.length > 0
  const actions = listActions(type, model, form)
  const title =
    entry === undefined || entry === null
      ? say('New {name}', { name: nameWithin(type) })
      : formatTitle(type, entry)
  const heading = type.kind === 'singleType' ? type.displayName : title

  useSaveKeys(() => actions[0]?.disabled !== true && actions[0]?.run())
  useEffect(() => {
    if (entry !== undefined) document.title = `${heading} · cms-run console`
  }, [heading, entry === undefined])
  useEffect(() => {
    if (refusals > 0 && Object.keys(conflicts).length > 0)
      element.current?.querySelector<HTMLElement>('.conflict button')?.focus()
  }, [refusals, Object.keys(conflicts).join()])

  if (entry === undefined || rights === undefined)
    return said === undefined ? (
      <p class="quiet">{say('Loading …')}</p>
    ) : (
      <p class="notice wrong">{said.text}</p>
    )
  const isNew = entry === null
  // A form can add a locale that a document does not have yet.
  const isMissing = isNew && id !== undefined && !(model.dialect === 'strapi-5' && query.has('locale'))
  if (isMissing)
    return <p class="notice wrong">{say('There is no entry {id}. It may have been deleted.', { id })}</p>

  const locale = query.get('locale')
  return (
    <form
      class="entry"
      data-entry={`${type.name}/${id ?? 'new'}`}
      noValidate
      ref={element}
      onSubmit={(event) => event.preventDefault()}
    >
      <header class="entry-head">
        {type.kind === 'collectionType' && (
          <a class="up" href={`#/data/${type.name}`}>
            {type.displayName}
          </a>
        )}
        <h1>
          {heading}
          {isNew && locale !== null && <span class="tag">{formatLocale(locale)}</span>}
        </h1>
      </header>
      {actions.length > 0 ? (
        <SaveBar {...{ progress, dirty, actions }} tryAgain={() => void form.tryAgain()} />
      ) : (
        <p class="notice">{say('You may read this entry, but not change it.')}</p>
      )}
      <LeaveQuestion dirty={dirty} isDirty={form.isDirty} save={() => form.save()} discard={form.discard} />
      {offered !== undefined && (
        <section class="notice buttons" aria-label={say('Unsaved changes')}>
          <span role="status">
            {say('You have unsaved changes from {time}.', { time: formatTime(offered.at) })}
          </span>
          <button type="button" onClick={form.restore}>
            {say('Restore')}
          </button>
          <button type="button" onClick={form.dropOffered}>
            {say('Discard')}
          </button>
        </section>
      )}
      {said !== undefined && (
        <p class={`notice ${said.wrong ? 'wrong' : 'right'}`} role={said.wrong ? 'alert' : 'status'}>
          {said.text}
        </p>
      )}
      <FaultSummary {...{ type, model, values, faults, refusals }} />
      <div class="entry-columns">
        <FormFields {...{ type, model, form, compared }} closed={actions.length === 0} />
        {entry !== null && <SidePanel {...{ type, model, entry, form, compared }} onCompare={setCompared} />}
      </div>
    </form>
  )
}

/** Fields that hold a text which is no value, such as unfinished JSON or half a date. */
function findInputFaults(form: HTMLFormElement | null): readonly Fault[] {
  const halves = [...(form?.elements ?? [])].flatMap((one) =>
    one instanceof HTMLInputElement && one.id.startsWith('field-') && one.validity.badInput
      ? [{ path: readPath(one.id), message: one.validationMessage }]
      : [],
  )
  const texts = [...(form?.querySelectorAll<HTMLElement>('[data-unfinished]') ?? [])].map(({ dataset }) => ({
    path: readPath(dataset['field'] ?? ''),
    message: dataset['unfinished'] ?? '',
  }))
  return [...halves, ...texts]
}

/** `field-address-street` -> `['address', 'street']`. */
function readPath(id: string): readonly string[] {
  return id.slice('field-'.length).split('-')
}

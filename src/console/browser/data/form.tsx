// The form for one entry: its fields, what is wrong with them, how it is saved, and a panel beside them.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Attribute, Model, Type } from '../../described.ts'
import type { Fault } from '../server.ts'
import { Conflict } from './conflict.tsx'
import { FaultSummary } from './fault-summary.tsx'
import { Field } from './fields.tsx'
import { type EntryFormState, useEntryForm } from './form-state.ts'
import { formatTime, formatTitle } from './format-value.ts'
import { LeaveQuestion } from './leave-question.tsx'
import { formatLocale, OtherValue, useOtherLocale } from './locale-links.tsx'
import { type SaveAction, SaveBar } from './save-bar.tsx'
import { listScheduled } from './schedule.tsx'
import { getState, SidePanel } from './side-panel.tsx'

interface FormProps {
  readonly type: Type
  readonly model: Model
  readonly id: string | undefined
  /** `from`: the entry to copy. `locale`, `of`: content of the entry `of` in another locale. */
  readonly query: URLSearchParams
}

export function EntryForm({ type, model, id, query }: FormProps) {
  const element = useRef<HTMLFormElement>(null)
  const listInputFaults = (): readonly Fault[] => findInputFaults(element.current)
  const form = useEntryForm({ type, model, id, query, listInputFaults })
  const [compared, setCompared] = useState<string>()
  const { entry, values, faults, refusals, conflicts, said, progress, offered } = form.state
  const other = useOtherLocale(type, model, entry, compared)
  const dirty = form.changed.length > 0
  const actions = listActions(type, model, form)
  const title =
    entry === undefined || entry === null ? `New ${type.displayName.toLowerCase()}` : formatTitle(type, entry)
  const heading = type.kind === 'singleType' ? type.displayName : title

  useSaveKeys(() => actions[0]?.disabled !== true && actions[0]?.run())
  useEffect(() => {
    if (entry !== undefined) document.title = `${heading} · cms-run console`
  }, [heading, entry === undefined])
  useEffect(() => {
    if (refusals > 0 && Object.keys(conflicts).length > 0)
      element.current?.querySelector<HTMLElement>('.conflict button')?.focus()
  }, [refusals, Object.keys(conflicts).join()])

  if (entry === undefined)
    return said === undefined ? <p class="quiet">Loading …</p> : <p class="notice wrong">{said.text}</p>
  const isNew = entry === null
  // A form can add a locale that a document does not have yet.
  const isMissing = isNew && id !== undefined && !(model.dialect === 'strapi-5' && query.has('locale'))
  if (isMissing) return <p class="notice wrong">There is no entry {id}. It may have been deleted.</p>

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
        <p class="notice">You may read this entry, but not change it.</p>
      )}
      <LeaveQuestion dirty={dirty} isDirty={form.isDirty} save={() => form.save()} discard={form.discard} />
      {offered !== undefined && (
        <section class="notice buttons" aria-label="Unsaved changes">
          <span role="status">
            You have unsaved changes from{' '}
            <time dateTime={new Date(offered.at).toISOString()}>{formatTime(offered.at)}</time>.
          </span>
          <button type="button" onClick={form.restore}>
            Restore
          </button>
          <button type="button" onClick={form.dropOffered}>
            Discard
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
        <fieldset class="entry-fields" disabled={actions.length === 0}>
          <legend class="hidden">Fields</legend>
          {listGroups(type).map(({ label, attributes }) => {
            const fields = attributes.map((attribute) => (
              <EntryField
                key={attribute.name}
                {...{ attribute, model, form }}
                closed={actions.length === 0}
                isNew={isNew}
              >
                {compared !== undefined && other !== undefined && attribute.localized === true && (
                  <OtherValue {...{ attribute, model }} locale={compared} value={other[attribute.name]} />
                )}
              </EntryField>
            ))
            return label === '' ? (
              fields
            ) : (
              <section class="entry-group">
                <h2>{label}</h2>
                {fields}
              </section>
            )
          })}
        </fieldset>
        {entry !== null && <SidePanel {...{ type, model, entry, form, compared }} onCompare={setCompared} />}
      </div>
    </form>
  )
}

/** What saves the entry, the main way first; empty without a permission. */
function listActions(type: Type, model: Model, form: EntryFormState): readonly SaveAction[] {
  const { entry } = form.state
  const isNew = entry === undefined || entry === null
  const dirty = form.changed.length > 0
  const isDocument = model.dialect === 'strapi-5'
  const needed = isNew && type.kind === 'collectionType' ? 'create' : 'update'
  if (!type.may.includes(needed)) return []
  const save = (label: string, publish?: boolean): SaveAction => ({
    label,
    disabled: !isNew && !dirty,
    run: () => void form.save(publish),
  })
  if (!type.draftAndPublish) return [save(isNew ? 'Create' : 'Save')]
  const mayPublish = type.may.includes(isDocument ? 'publish' : needed)
  if (isNew) return [save('Create a draft', false), ...(mayPublish ? [save('Create and publish', true)] : [])]
  const state = getState(model, entry)
  if (!isDocument && state === 'published') return [save('Save')]
  const publish = {
    label: 'Publish',
    disabled: state === 'published' && !dirty,
    run: () => void form.setPublished(true),
  }
  return [save('Save draft'), ...(mayPublish ? [publish] : [])]
}

interface Group {
  readonly label: string
  readonly attributes: readonly Attribute[]
}

function listGroups(type: Type): readonly Group[] {
  // The panel shows them.
  const hidden = [...listScheduled(type).map(({ name }) => name), 'localizations']
  return type.look.groups
    .map(({ label, fields }) => ({
      label,
      attributes: fields
        .filter((name) => !hidden.includes(name))
        .flatMap((name) => type.attributes.find((one) => one.name === name) ?? []),
    }))
    .filter(({ attributes }) => attributes.length > 0)
}

interface EntryFieldProps {
  readonly attribute: Attribute
  readonly model: Model
  readonly form: EntryFormState
  readonly closed: boolean
  readonly isNew: boolean
  readonly children: ComponentChildren
}

function EntryField({ attribute, model, form, closed, isNew, children }: EntryFieldProps) {
  const { values, original, faults, conflicts } = form.state
  const { name } = attribute
  const isHidden =
    !isNew && attribute.private === true && attribute.type !== 'password' && !(name in original)
  return (
    <div class="entry-field" id={`at-${name}`} tabIndex={-1}>
      <Field
        attribute={closed ? { ...attribute, writable: false } : attribute}
        model={model}
        value={values[name]}
        path={[name]}
        faults={faults}
        onChange={(value) => form.setValue(name, value)}
        reveal={isHidden ? () => void form.reveal() : undefined}
        conflict={
          name in conflicts && (
            <Conflict
              {...{ attribute, model }}
              mine={values[name]}
              theirs={conflicts[name]}
              onChoose={(theirs) => form.solve(name, theirs)}
            />
          )
        }
      />
      {children}
    </div>
  )
}

/** Ctrl+S, and Cmd+S on a Mac. */
function useSaveKeys(save: () => void): void {
  const latest = useRef(save)
  latest.current = save
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      if (document.querySelector('dialog[open]') === null) latest.current()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

/** Inputs that hold a text which is no value, such as unfinished JSON or half a date. */
function findInputFaults(form: HTMLFormElement | null): readonly Fault[] {
  const inputs = [...(form?.elements ?? [])].filter(
    (one) => one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement,
  )
  return inputs
    .filter(({ validity, id }) => id.startsWith('field-') && (validity.badInput || validity.customError))
    .map(({ id, validationMessage }) => ({
      path: id.slice('field-'.length).split('-'),
      message: validationMessage,
    }))
}

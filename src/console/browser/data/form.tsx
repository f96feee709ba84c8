// A form for one entry that sends only changed values and shows the API's errors beside the fields.

import { useEffect, useState } from 'preact/hooks'
import type { Entry, Model, Type } from '../../described.ts'
import { goTo } from '../route.ts'
import { ask, type Fault, RequestError, type Tagged } from '../server.ts'
import { Conflict, describeConflict, mergeValues } from './conflict.tsx'
import { Field } from './fields.tsx'
import { getKey, getPage, readEntry, readTagged } from './load.ts'
import { buildChanges, buildFormValues, buildPayload, copyValues, toEntry, type Values } from './values.ts'
import { removeEntry, setPublished, writeEntry } from './write.ts'

interface FormProps {
  readonly type: Type
  readonly model: Model
  readonly id: string | undefined
  /** `from`: the entry to copy. `locale`, `of`: content of the entry `of` in another locale. */
  readonly query: URLSearchParams
}

export function EntryForm({ type, model, id, query }: FormProps) {
  const [entry, setEntry] = useState<Entry | null>()
  const [values, setValues] = useState<Values>({})
  const [original, setOriginal] = useState<Values>({})
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const [tag, setTag] = useState<string>()
  const [conflicts, setConflicts] = useState<Values>({})
  const [said, setSaid] = useState<{ readonly text: string; readonly wrong: boolean }>()
  const single = type.kind === 'singleType'
  const locale = query.get('locale') ?? undefined
  const from = query.get('from') ?? query.get('of') ?? undefined

  const show = ({ value: found, tag: read }: Tagged<Entry | undefined>): void => {
    const known = found === undefined ? {} : buildFormValues(type.attributes, found, model)
    setEntry(found ?? null)
    setTag(read)
    setConflicts({})
    setValues(known)
    setOriginal(known)
  }
  /** Keeps the editor's changes, and shows those of others beside them. */
  const meet = async (): Promise<void> => {
    const { value: found, tag: read } = await readTagged(type, model, id, locale)
    if (found === undefined) {
      setSaid({ text: 'Somebody else deleted the entry meanwhile.', wrong: true })
      return
    }
    const theirs = buildFormValues(type.attributes, found, model)
    const { merged, both, others } = mergeValues(original, values, theirs)
    setEntry(found)
    setTag(read)
    setOriginal({ ...original, ...theirs })
    setValues(merged)
    setConflicts(both)
    setSaid({ text: describeConflict(Object.keys(both), others), wrong: true })
  }
  const refuse = (error: unknown): void => {
    if (error instanceof RequestError && error.status === 412) {
      meet().catch(refuse)
      return
    }
    if (error instanceof RequestError) setFaults(error.faults)
    setSaid({ text: (error as Error).message, wrong: true })
  }
  useEffect(() => {
    const reading =
      single || id !== undefined
        ? readTagged(type, model, id, locale)
        : Promise.resolve({ value: undefined, tag: undefined })
    reading
      .then(async (found) => {
        show(found)
        if (from === undefined) return
        const copied = await readEntry(type, model, from)
        if (copied === undefined) return
        setValues(copyValues(type.attributes, copied, model))
      })
      .catch(refuse)
  }, [])

  if (entry === undefined)
    return said === undefined ? <p class="quiet">Loading …</p> : <p class="notice wrong">{said.text}</p>
  const isNew = entry === null
  // A form can add a locale that a document does not have yet.
  const isMissing = isNew && id !== undefined && !(model.dialect === 'strapi-5' && locale !== undefined)
  if (isMissing) return <p class="notice wrong">There is no entry {id}. It may have been deleted.</p>

  const changed = type.attributes.filter(
    ({ name }) => JSON.stringify(values[name]) !== JSON.stringify(original[name]),
  )
  const save = async (published?: boolean): Promise<void> => {
    setFaults([])
    setSaid(undefined)
    const target = { id, isNew, locale, of: query.get('of') ?? undefined, tag }
    const sent = isNew
      ? buildPayload(changed, values, model, false)
      : buildChanges(changed, values, original, model)
    try {
      const written = await writeEntry(type, model, target, sent, published)
      if (isNew && id === undefined && !single && written !== undefined) {
        goTo(getPage(type, written))
        return
      }
      show(await readTagged(type, model, id, locale))
      setSaid({ text: 'Saved.', wrong: false })
    } catch (error) {
      refuse(error)
    }
  }
  const act = (task: () => Promise<void>): void => {
    task().catch(refuse)
  }
  const isDraft = entry?.['publishedAt'] === null
  return (
    <form
      class="entry"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        act(() => save())
      }}
    >
      <div class="toolbar">
        <button type="submit" class="main" disabled={!isNew && changed.length === 0}>
          {isNew && type.draftAndPublish ? 'Create and publish' : isNew ? 'Create' : 'Save'}
        </button>
        {isNew && type.draftAndPublish && (
          <button type="button" onClick={() => act(() => save(false))}>
            Create a draft
          </button>
        )}
        {!isNew && type.draftAndPublish && (
          <button
            type="button"
            onClick={() =>
              act(async () => {
                if (changed.length > 0) return save(isDraft)
                await setPublished(type, model, entry, isDraft, tag)
                show(await readTagged(type, model, id, locale))
              })
            }
          >
            {isDraft ? 'Publish' : 'Unpublish'}
          </button>
        )}
        {!isNew && !single && (
          <a class="button" href={`#/data/${type.name}/new?from=${getKey(entry)}`}>
            Duplicate
          </a>
        )}
        {!isNew && (
          <button
            type="button"
            class="danger"
            onClick={() => {
              if (!confirm('Delete this entry?')) return
              act(async () => {
                await removeEntry(type, entry, tag)
                if (single) show({ value: undefined, tag: undefined })
                else goTo(`/data/${type.name}`)
              })
            }}
          >
            Delete
          </button>
        )}
        {!isNew && <Locales type={type} model={model} entry={entry} />}
        {!isNew && type.draftAndPublish && (
          <span class={`tag ${isDraft ? 'warning' : 'good'}`}>{isDraft ? 'draft' : 'published'}</span>
        )}
      </div>
      {said !== undefined && (
        <p class={`notice ${said.wrong ? 'wrong' : 'right'}`} role={said.wrong ? 'alert' : 'status'}>
          {said.text}
        </p>
      )}
      {type.attributes.map((attribute) => (
        <Field
          key={attribute.name}
          conflict={
            attribute.name in conflicts && (
              <Conflict
                name={attribute.name}
                theirs={conflicts[attribute.name]}
                onChoose={(theirs) => {
                  const { [attribute.name]: value, ...others } = conflicts
                  setConflicts(others)
                  if (theirs) setValues((before) => ({ ...before, [attribute.name]: value }))
                }}
              />
            )
          }
          attribute={attribute}
          model={model}
          value={values[attribute.name]}
          path={[attribute.name]}
          faults={faults}
          onChange={(value) => setValues((before) => ({ ...before, [attribute.name]: value }))}
          reveal={
            entry === null ||
            attribute.private !== true ||
            attribute.type === 'password' ||
            attribute.name in original
              ? undefined
              : () =>
                  act(async () => {
                    const response = await ask<Values>('private', { type: type.uid, id: entry.id })
                    const known = buildFormValues(type.attributes, response, model)
                    setOriginal((before) => ({ ...before, ...known }))
                    setValues((before) => ({ ...known, ...before }))
                  })
          }
        />
      ))}
    </form>
  )
}

function Locales({
  type,
  model,
  entry,
}: {
  readonly type: Type
  readonly model: Model
  readonly entry: Entry
}) {
  if (type.locales === undefined) return null
  const localizations = entry['localizations'] as { data?: readonly unknown[] } | readonly unknown[] | null
  const data = Array.isArray(localizations)
    ? localizations
    : ((localizations as { data?: unknown[] })?.data ?? [])
  const others = data.flatMap((item: unknown) => toEntry(item) ?? [])
  const base = `#/data/${type.name}`
  return (
    <span class="buttons">
      {type.locales.map((locale) => {
        const other = others.find((one) => one['locale'] === locale)
        if (locale === entry['locale']) return <strong>{locale}</strong>
        if (type.kind === 'singleType') return <a href={`${base}?locale=${locale}`}>{locale}</a>
        if (other !== undefined) return <a href={`#${getPage(type, other)}`}>{locale}</a>
        const add =
          model.dialect === 'strapi-5'
            ? `${base}/${getKey(entry)}?locale=${locale}`
            : `${base}/new?of=${entry.id}&locale=${locale}`
        return <a href={add}>add {locale}</a>
      })}
    </span>
  )
}

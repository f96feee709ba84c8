// A form for one entry, made from its attributes. It sends only what was changed, and shows what the API says beside the
// fields.

import { useEffect, useState } from 'preact/hooks'
import type { Entry, Model, Type } from '../../src/console/described.ts'
import { goTo } from '../route.ts'
import { api, ask, type Fault, Refused } from '../server.ts'
import { Field } from './fields.tsx'
import { readEntry, removeEntry, setPublished } from './load.ts'
import { entryOf, formValues, payloadOf, type Values } from './values.ts'

interface FormProps {
  readonly type: Type
  readonly model: Model
  /** Undefined for a new entry, and for single types. */
  readonly id: string | undefined
  /** `from`: the entry to copy. `locale`, `of`: content of the entry `of` in another locale. */
  readonly query: URLSearchParams
}

export function EntryForm({ type, model, id, query }: FormProps) {
  const [entry, setEntry] = useState<Entry | null>()
  const [values, setValues] = useState<Values>({})
  const [original, setOriginal] = useState<Values>({})
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const [said, setSaid] = useState<{ readonly text: string; readonly wrong: boolean }>()
  const single = type.kind === 'singleType'
  const locale = query.get('locale') ?? undefined
  const from = query.get('from') ?? query.get('of') ?? undefined

  const show = (found: Entry | undefined): void => {
    const known = found === undefined ? {} : formValues(type.attributes, found, model)
    setEntry(found ?? null)
    setValues(known)
    setOriginal(known)
  }
  const refuse = (error: unknown): void => {
    if (error instanceof Refused) setFaults(error.faults)
    setSaid({ text: (error as Error).message, wrong: true })
  }
  useEffect(() => {
    const reading =
      single || id !== undefined ? readEntry(type, model, id, locale) : Promise.resolve(undefined)
    reading
      .then(async (found) => {
        show(found)
        if (from === undefined) return
        const copied = await readEntry(type, model, from)
        if (copied === undefined) return
        const given = type.attributes.filter(({ name, type: kind }) => kind !== 'uid' && name in copied)
        setValues(formValues(given, copied, model))
      })
      .catch(refuse)
  }, [])

  if (entry === undefined)
    return said === undefined ? <p class="quiet">Loading …</p> : <p class="notice wrong">{said.text}</p>
  const isNew = entry === null
  if (isNew && id !== undefined)
    return <p class="notice wrong">There is no entry {id}. It may have been deleted.</p>

  const changed = type.attributes.filter(
    ({ name }) => JSON.stringify(values[name]) !== JSON.stringify(original[name]),
  )
  const save = async (published?: boolean): Promise<void> => {
    setFaults([])
    setSaid(undefined)
    const data = {
      ...payloadOf(changed, values, model, !isNew),
      ...(published === undefined ? {} : { publishedAt: published ? new Date().toISOString() : null }),
      ...(isNew && locale !== undefined ? { locale } : {}),
    }
    const of = query.get('of')
    const path = `${type.path}${id === undefined ? '' : `/${id}`}${of === null ? '' : `/${of}/localizations`}`
    try {
      const inLocale = single && locale !== undefined ? `?locale=${locale}` : ''
      const answer = await (of === null
        ? api<{ data: unknown }>(`${path}${inLocale}`, isNew && !single ? 'POST' : 'PUT', { data })
        : api<{ data: unknown }>(path, 'POST', data))
      const written = entryOf(answer.data ?? answer)
      if (isNew && !single && written !== undefined) {
        goTo(`/data/${type.name}/${written.id}`)
        return
      }
      show(await readEntry(type, model, id, locale))
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
                await (single ? save(isDraft) : setPublished(type, entry.id, isDraft))
                show(await readEntry(type, model, id, locale))
              })
            }
          >
            {isDraft ? 'Publish' : 'Unpublish'}
          </button>
        )}
        {!isNew && !single && (
          <a class="button" href={`#/data/${type.name}/new?from=${entry.id}`}>
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
                await removeEntry(type, single ? undefined : entry.id)
                if (single) show(undefined)
                else goTo(`/data/${type.name}`)
              })
            }}
          >
            Delete
          </button>
        )}
        {!isNew && <Locales type={type} entry={entry} />}
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
                    const known = await ask<Values>('private', { type: type.uid, id: entry.id })
                    setOriginal((before) => ({ ...before, ...known }))
                    setValues((before) => ({ ...known, ...before }))
                  })
          }
        />
      ))}
    </form>
  )
}

/** The ways to the same content in other locales. */
function Locales({ type, entry }: { readonly type: Type; readonly entry: Entry }) {
  if (type.locales === undefined) return null
  const { data = [] } = (entry['localizations'] ?? {}) as { data?: readonly unknown[] }
  const others = data.flatMap((item) => entryOf(item) ?? [])
  const own = entry['locale']
  return (
    <span class="buttons">
      {type.locales.map((locale) => {
        const other = others.find((one) => one['locale'] === locale)
        if (locale === own) return <strong>{locale}</strong>
        if (type.kind === 'singleType') return <a href={`#/data/${type.name}?locale=${locale}`}>{locale}</a>
        return other === undefined ? (
          <a href={`#/data/${type.name}/new?of=${entry.id}&locale=${locale}`}>add {locale}</a>
        ) : (
          <a href={`#/data/${type.name}/${other.id}`}>{locale}</a>
        )
      })}
    </span>
  )
}

// What an editor knows and does about an entry besides its fields: its state, dates, locales and uses.

import { Copy, ExternalLink, Trash2 } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import type { Entry, Model, Type } from '../../described.ts'
import { say } from '../messages.ts'
import { Icon } from '../parts/icon.tsx'
import { buildPreviewAddress, formatAgo, formatMoment } from './format-value.ts'
import { getKey } from './load.ts'
import { formatLocale, Locales, listOthers } from './locale-links.tsx'
import { PanelSection } from './panel-section.tsx'
import { Schedule } from './schedule.tsx'
import type { EntryFormState } from './use-entry-form.ts'
import { UsedBy } from './used-by.tsx'

interface PanelProps {
  readonly type: Type
  readonly model: Model
  readonly entry: Entry
  readonly form: EntryFormState
  readonly compared: string | undefined
  onCompare(locale: string | undefined): void
}

export function SidePanel({ type, model, entry, form, compared, onCompare }: PanelProps) {
  const preview = buildPreviewAddress(type, entry)
  const others =
    type.kind === 'singleType'
      ? (type.locales ?? []).filter((locale) => locale !== entry['locale'])
      : listOthers(entry).map((other) => String(other['locale']))
  return (
    <aside class="side-panel" aria-label={say('About this entry')}>
      {type.draftAndPublish && (
        <PanelSection title={say('State')}>
          <State {...{ type, model, entry, form }} />
        </PanelSection>
      )}
      <Schedule type={type} form={form} />
      <PanelSection title={say('Dates')}>
        <dl>
          <Moment label={say('Created')} value={entry['createdAt']} />
          <Moment label={say('Updated')} value={entry['updatedAt']} />
          {type.draftAndPublish && <Moment label={say('Published')} value={entry['publishedAt']} />}
        </dl>
      </PanelSection>
      {type.locales !== undefined && type.locales.length > 1 && (
        <PanelSection title={say('Locale')}>
          <Locales {...{ type, model, entry }} />
          {others.length > 0 && (
            <label class="stacked">
              {say('Compare with')}
              <select
                value={compared ?? ''}
                onChange={({ currentTarget: { value } }) => onCompare(value === '' ? undefined : value)}
              >
                <option value="">{say('Nothing')}</option>
                {others.map((locale) => (
                  <option value={locale}>{formatLocale(locale)}</option>
                ))}
              </select>
            </label>
          )}
        </PanelSection>
      )}
      <UsedBy {...{ type, model, entry }} />
      <div class="buttons">
        {preview !== undefined && (
          <a class="button" href={preview} target="_blank" rel="noopener noreferrer">
            <Icon of={ExternalLink} /> {say('Preview')}
          </a>
        )}
        <MoreMenu {...{ type, entry, form }} />
      </div>
    </aside>
  )
}

export type PublicationState = 'draft' | 'published' | 'modified'

/** In Strapi 5 a published entry can have a newer draft. */
export function getState({ dialect }: Model, entry: Entry): PublicationState {
  const { publishedAt, updatedAt } = entry
  if (publishedAt === null || publishedAt === undefined) return 'draft'
  const isModified = dialect === 'strapi-5' && Date.parse(String(updatedAt)) > Date.parse(String(publishedAt))
  return isModified ? 'modified' : 'published'
}

/** Its name, and what readers see. */
function describeState(state: PublicationState): readonly [name: string, words: string] {
  switch (state) {
    case 'draft':
      return [say('draft'), say('Readers do not see it yet.')]
    case 'published':
      return [say('published'), say('Readers see it.')]
    case 'modified':
      return [say('modified'), say('Readers see the version published before.')]
  }
}

function State({ type, model, entry, form }: Omit<PanelProps, 'compared' | 'onCompare'>) {
  const state = getState(model, entry)
  const [name, words] = describeState(state)
  const mayUnpublish = type.may.includes(model.dialect === 'strapi-5' ? 'unpublish' : 'update')
  return (
    <>
      <p>
        <span class={`tag ${state === 'published' ? 'good' : 'warning'}`}>{name}</span> {words}
      </p>
      {state !== 'draft' && mayUnpublish && (
        <button
          type="button"
          disabled={form.state.progress.kind === 'saving'}
          onClick={() => void form.setPublished(false)}
        >
          {say('Unpublish')}
        </button>
      )}
    </>
  )
}

function Moment({ label, value }: { readonly label: string; readonly value: unknown }) {
  if (typeof value !== 'string') return null
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <time dateTime={value} title={formatMoment(value)}>
          {formatAgo(value)}
        </time>
      </dd>
    </>
  )
}

function MoreMenu({
  type,
  entry,
  form,
}: {
  readonly type: Type
  readonly entry: Entry
  readonly form: EntryFormState
}) {
  const element = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const close = (event: Event): void => {
      if (element.current?.contains(event.target as Node) === false) element.current.open = false
    }
    addEventListener('pointerdown', close)
    return () => removeEventListener('pointerdown', close)
  }, [])
  const mayCopy = type.kind === 'collectionType' && type.may.includes('create')
  const mayDelete = type.may.includes('delete')
  if (!mayCopy && !mayDelete) return null
  return (
    <details
      ref={element}
      class="menu"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || element.current === null) return
        element.current.open = false
        element.current.querySelector('summary')?.focus()
      }}
    >
      <summary class="button">{say('More actions')}</summary>
      <div class="list">
        {mayCopy && (
          <a class="button" href={`#/data/${type.name}/new?from=${getKey(entry)}`}>
            <Icon of={Copy} /> {say('Duplicate')}
          </a>
        )}
        {mayDelete && (
          <button type="button" class="danger" onClick={form.remove}>
            <Icon of={Trash2} /> {say('Delete')}
          </button>
        )}
      </div>
    </details>
  )
}

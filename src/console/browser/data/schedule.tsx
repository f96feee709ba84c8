// When an entry is published or taken back by itself, for types with `schedule: true`.

import type { Attribute, Type } from '../../described.ts'
import { say } from '../messages.ts'
import { PanelSection } from './panel-section.tsx'
import type { EntryFormState } from './use-entry-form.ts'

const NAMES = ['publishAt', 'unpublishAt']

/** The attributes that the panel shows instead of the form. */
export function listScheduled({ attributes, draftAndPublish }: Type): readonly Attribute[] {
  return draftAndPublish
    ? attributes.filter(({ name, type }) => NAMES.includes(name) && type === 'datetime')
    : []
}

export function Schedule({ type, form }: { readonly type: Type; readonly form: EntryFormState }) {
  const scheduled = listScheduled(type)
  const { values } = form.state
  const mayChange = type.may.includes('update')
  const isPlanned = scheduled.some(({ name }) => typeof values[name] === 'string')
  if (scheduled.length === 0 || !(mayChange || isPlanned)) return null
  return (
    <PanelSection title={say('Schedule')}>
      {scheduled.map(({ name }) => (
        <label class="stacked">
          {name === 'publishAt' ? say('Publish at') : say('Unpublish at')}
          <input
            id={`field-${name}`}
            type="datetime-local"
            disabled={!mayChange}
            value={toLocal(values[name])}
            onInput={({ currentTarget: { value } }) =>
              form.setValue(name, value === '' ? null : new Date(value).toISOString())
            }
          />
        </label>
      ))}
      {mayChange && <p class="quiet">{say('It counts once the entry is saved.')}</p>}
    </PanelSection>
  )
}

/** In the time of the browser, without its zone. */
function toLocal(value: unknown): string {
  const at = new Date(String(value))
  if (typeof value !== 'string' || Number.isNaN(at.getTime())) return ''
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

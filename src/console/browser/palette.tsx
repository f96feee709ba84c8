// The command palette: goes to a page, a content-type or an entry by its name, with the keyboard alone.

import * as combobox from '@zag-js/combobox'
import { mergeProps, normalizeProps, useMachine } from '@zag-js/preact'
import { Search } from 'lucide'
import { useEffect, useId, useMemo, useState } from 'preact/hooks'
import type { Model } from '../described.ts'
import {
  type Destination,
  filterDestinations,
  findEntries,
  listDestinations,
  type SearchResult,
} from './find-destinations.ts'
import { useModel } from './live.ts'
import { say, sayCount } from './messages.ts'
import type { PageLink } from './navigation.tsx'
import { Dialog } from './parts/dialog.tsx'
import { Icon } from './parts/icon.tsx'
import { ModelWait } from './parts/model-wait.tsx'
import { goTo } from './route.ts'

const DELAY_MS = 150

interface PaletteProps {
  readonly pages: readonly PageLink[]
  onClose(): void
}

export function Palette({ pages, onClose }: PaletteProps) {
  const model = useModel()
  return (
    <Dialog title={say('Search')} onClose={onClose}>
      {model === undefined ? <ModelWait /> : <Choice pages={pages} model={model} onClose={onClose} />}
    </Dialog>
  )
}

interface ChoiceProps extends PaletteProps {
  readonly model: Model
}

function Choice({ pages, model, onClose }: ChoiceProps) {
  const [text, setText] = useState('')
  const { entries, failures, isSearching } = useEntries(model, text.trim())
  const known = useMemo(() => listDestinations(pages, model), [pages, model])
  const shown = useMemo(() => [...filterDestinations(known, text), ...entries], [known, text, entries])
  const collection = useMemo(
    () =>
      combobox.collection({
        items: shown,
        itemToValue: ({ address }) => address,
        itemToString: ({ label }) => label,
      }),
    [shown],
  )
  const id = useId()
  const input = `${id}-input`
  const service = useMachine(combobox.machine, {
    id,
    ids: { input },
    collection,
    open: true,
    defaultHighlightedValue: shown[0]?.address ?? null,
    disableLayer: true,
    autoFocus: true,
    allowCustomValue: true,
    inputBehavior: 'autohighlight',
    selectionBehavior: 'preserve',
    placeholder: say('A page, a content-type, an entry …'),
    // It would write a text back into the field late, and undo what is typed meanwhile.
    inputValue: '',
    onSelect({ itemValue }) {
      onClose()
      goTo(itemValue)
    },
  })
  const field = combobox.connect(service, normalizeProps)
  const inputProps = mergeProps(field.getInputProps(), {
    onInput: (event: InputEvent) => setText((event.currentTarget as HTMLInputElement).value),
    onKeyDown(event: KeyboardEvent) {
      // The list takes this key, so that the dialog does not see it.
      if (event.key === 'Escape') onClose()
    },
  })
  const groups = Map.groupBy(shown, ({ group }) => group)
  return (
    <div class="palette" {...field.getRootProps()}>
      <label class="hidden" {...field.getLabelProps()} for={input}>
        {say('Search pages, content-types and entries')}
      </label>
      <div class="palette-input" {...field.getControlProps()}>
        <Icon of={Search} size={18} />
        {/* Preact's types bind a role to each type of input. */}
        <input {...(inputProps as object)} />
      </div>
      <div class="palette-list" {...field.getContentProps()}>
        {[...groups].map(([group, items]) => (
          <div key={group} {...field.getItemGroupProps({ id: group })}>
            <div class="palette-group" {...field.getItemGroupLabelProps({ htmlFor: group })}>
              {sayGroup(group)}
            </div>
            {items.map((item) => (
              <div key={item.address} class="palette-item" {...field.getItemProps({ item })}>
                <Icon of={item.icon} size={16} />
                <span class="palette-label">{item.label}</span>
                <span class="quiet">{item.hint}</span>
              </div>
            ))}
          </div>
        ))}
      </div>
      {failures.length > 0 && (
        <p class="palette-state error" role="alert">
          {sayFailures(failures)}
        </p>
      )}
      <p class="palette-state" role="status">
        {formatState(shown.length, isSearching, failures.length > 0)}
      </p>
    </div>
  )
}

function sayGroup(group: Destination['group']): string {
  switch (group) {
    case 'Content-types':
      return say('Content-types')
    case 'Pages':
      return say('Pages')
    case 'Create':
      return say('Create')
    case 'Entries':
      return say('Entries')
  }
}

/** Where a search failed, nobody knows that there is nothing. */
function formatState(count: number, isSearching: boolean, hasFailures: boolean): string {
  if (isSearching) return say('Searching …')
  if (count === 0) return hasFailures ? '' : say('Nothing found.')
  return sayCount(
    count,
    '{count} result · arrow keys choose, Enter opens',
    '{count} results · arrow keys choose, Enter opens',
  )
}

function sayFailures(reasons: readonly string[]): string {
  const [reason = ''] = reasons
  return sayCount(
    reasons.length,
    '{count} type could not be searched: {reason}',
    '{count} types could not be searched: {reason}',
    { reason },
  )
}

interface FoundEntries extends SearchResult {
  readonly text: string
  readonly isComplete: boolean
}

const NONE: SearchResult = { entries: [], failures: [] }

function useEntries(model: Model, text: string): SearchResult & { readonly isSearching: boolean } {
  const [found, setFound] = useState<FoundEntries>({ ...NONE, text: '', isComplete: true })
  useEffect(() => {
    if (text === '') return
    let current = true
    const timer = setTimeout(async () => {
      const isCurrent = (): boolean => current
      await findEntries(model, text, isCurrent, (result) => setFound({ ...result, text, isComplete: false }))
      if (current)
        setFound((before) => ({
          ...(before.text === text ? before : NONE),
          text,
          isComplete: true,
        }))
    }, DELAY_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [model, text])
  const isKnown = found.text === text
  return {
    ...(isKnown && text !== '' ? found : NONE),
    isSearching: text !== '' && !(isKnown && found.isComplete),
  }
}

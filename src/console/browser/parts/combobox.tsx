// A text field that looks for options while one types, and takes one with Enter or a click.

import { collection, connect, machine } from '@zag-js/combobox'
import { normalizeProps, useMachine } from '@zag-js/preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { say, sayCount } from '../messages.ts'

export interface Option {
  /** Becomes a part of an id, so it has no spaces. */
  readonly value: string
  readonly label: string
  /** What tells it from others of the same label. */
  readonly detail?: string | undefined
  /** The address of a small picture, on this server. */
  readonly picture?: string | undefined
}

export interface FoundOptions {
  readonly options: readonly Option[]
  readonly more: boolean
}

interface ComboboxProps {
  readonly input: { readonly id: string } & Readonly<Record<string, unknown>>
  /** The id of its label. */
  readonly labelId: string
  readonly placeholder?: string
  readonly disabled?: boolean
  /** What is looked for besides the text: when it changes, the options are read anew. */
  readonly scope?: string
  /** `page` counts from 1. Rejects with a message for people. */
  search(text: string, page: number): Promise<FoundOptions>
  /** The last option, for what was not found. */
  getLast?(text: string): Option | undefined
  onChoose(option: Option, text: string): void
  /** Backspace in the empty field. */
  onBack?(): void
}

const DELAY_MS = 150
const MORE = 'more'

interface Found extends FoundOptions {
  readonly text: string
  readonly scope: string
  readonly page: number
}

export function Combobox(props: ComboboxProps) {
  const {
    input,
    labelId,
    placeholder = say('Search …'),
    disabled = false,
    scope = '',
    search,
    onChoose,
  } = props
  const [text, setText] = useState('')
  const [open, setOpen] = useState(false)
  const [page, setPage] = useState(1)
  const [found, setFound] = useState<Found>()
  const [error, setError] = useState<string>()
  const [attempt, setAttempt] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  /** Enter was pressed before the options of the text were known: then it takes the first of them. */
  const isEnterWaiting = useRef(false)
  const list = useRef<{ setHighlightValue(value: string): void }>(undefined)

  useEffect(() => {
    if (!open) return
    let current = true
    const look = (): void => {
      search(text, page).then(
        (next) => {
          if (!current) return
          setFound((before) => ({
            ...{ text, scope, page, more: next.more },
            options: page === 1 ? next.options : [...(before?.options ?? []), ...next.options],
          }))
          const [first] = next.options
          if (page > 1 && first !== undefined) list.current?.setHighlightValue(first.value)
          setError(undefined)
        },
        (fault: Error) => current && setError(fault.message),
      )
    }
    const timer = setTimeout(look, text === '' || page > 1 ? 0 : DELAY_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [open, text, page, scope, attempt])

  const isStale = found === undefined || found.text !== text || found.scope !== scope
  const isLoading = error === undefined && (isStale || found.page !== page)
  const last = isStale ? undefined : props.getLast?.(text.trim())
  const options: readonly Option[] =
    error !== undefined || found === undefined || found.scope !== scope
      ? []
      : [
          ...found.options,
          ...(found.more && !isStale ? [{ value: MORE, label: say('More results …') }] : []),
          ...(last === undefined ? [] : [last]),
        ]
  const items = useMemo(
    () =>
      collection({
        items: [...options],
        itemToValue: ({ value }) => value,
        itemToString: ({ label }) => label,
      }),
    [found, error, scope, isStale, last?.value, last?.label],
  )
  const close = (): void => {
    setOpen(false)
    isEnterWaiting.current = false
    if (field.current !== null) field.current.value = ''
    setText('')
    setPage(1)
    setFound(undefined)
    setError(undefined)
  }
  const choose = (option: Option | undefined): void => {
    close()
    if (option !== undefined) onChoose(option, text.trim())
  }
  useEffect(() => {
    if (isStale || !isEnterWaiting.current) return
    isEnterWaiting.current = false
    const [best] = found.options
    if (best !== undefined) choose(best)
  }, [isStale, found])
  const service = useMachine(machine, {
    id: input.id,
    ids: { input: input.id, label: labelId },
    collection: items,
    value: [],
    // It would write a text back into the field late, and undo what is typed meanwhile.
    inputValue: '',
    open,
    disabled,
    placeholder,
    openOnClick: true,
    closeOnSelect: false,
    allowCustomValue: true,
    inputBehavior: 'autohighlight',
    selectionBehavior: 'preserve',
    positioning: { placement: 'bottom-start', sameWidth: false },
    onInteractOutside(event) {
      // The message below the options, with its button, belongs to them.
      if ((event.target as Element | null)?.closest('.combobox-list') != null) event.preventDefault()
    },
    onOpenChange: ({ open: next }) => (next ? setOpen(true) : close()),
    onSelect({ itemValue }) {
      if (itemValue === MORE) {
        setPage(page + 1)
        return
      }
      choose(options.find(({ value }) => value === itemValue))
    },
  })
  const [isReady, setIsReady] = useState(false)
  // The machine starts after the first drawing, and hears nothing before.
  useEffect(() => setIsReady(true), [])
  const api = connect(service, normalizeProps)
  list.current = api
  const [first] = options
  const isHighlighted = options.some(({ value }) => value === api.highlightedValue)
  useEffect(() => {
    // Enter takes the first, also where the machine has not seen what was typed.
    if (api.open && !isStale && first !== undefined && !isHighlighted) api.setHighlightValue(first.value)
  }, [api.open, isStale, first?.value, isHighlighted])
  const { onKeyDown, onInput, ...inputProps } = api.getInputProps() as {
    onKeyDown?: (event: KeyboardEvent) => void
    onInput?: (event: InputEvent) => void
  } & Record<string, unknown>
  const status = isLoading
    ? say('Searching …')
    : (error ?? (options.length === 0 ? say('Nothing is found.') : undefined))
  return (
    <div {...api.getRootProps()} class="combobox">
      <div {...api.getControlProps()}>
        <input
          {...inputProps}
          {...input}
          ref={field}
          class="wide"
          readOnly={!isReady}
          onInput={(event) => {
            isEnterWaiting.current = false
            setText(event.currentTarget.value)
            // The machine says nothing while it is still closing the list of a choice just made.
            setOpen(true)
            setPage(1)
            onInput?.(event)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Backspace' && event.currentTarget.value === '') props.onBack?.()
            if (event.key === 'Enter') {
              const { defaultPrevented } = event
              // It never sends the form, and does not take an option of an earlier text.
              if (isLoading && isStale) isEnterWaiting.current = true
              else if (!defaultPrevented) onKeyDown?.(event)
              event.preventDefault()
            } else onKeyDown?.(event)
          }}
        />
      </div>
      <div {...api.getPositionerProps()} class="combobox-place">
        {api.open && (
          <div class="combobox-list" aria-busy={isLoading}>
            <ul {...api.getContentProps()} class="options">
              {options.map((item) => (
                <li
                  key={item.value}
                  {...api.getItemProps({ item })}
                  class={item.value === MORE || item === last ? 'option extra' : 'option'}
                >
                  {item.picture !== undefined && (
                    <img src={item.picture} alt="" width="28" height="28" loading="lazy" />
                  )}
                  <span class="option-label">{item.label}</span>
                  {item.detail !== undefined && <span class="kind">{item.detail}</span>}
                </li>
              ))}
            </ul>
            {error !== undefined && (
              <p class="combobox-status error">
                {error}{' '}
                <button
                  type="button"
                  class="small"
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => {
                    setError(undefined)
                    setAttempt(attempt + 1)
                  }}
                >
                  {say('Try again')}
                </button>
              </p>
            )}
            {error === undefined && status !== undefined && <p class="combobox-status quiet">{status}</p>}
          </div>
        )}
      </div>
      <span class="hidden" role="status">
        {api.open ? (status ?? sayCount(options.length, 'one option', '{count} options')) : ''}
      </span>
    </div>
  )
}

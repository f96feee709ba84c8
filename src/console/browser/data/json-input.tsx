// Edits JSON as text, and shows the position of a fault with a button that leads there.

import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { useEffect, useRef, useState } from 'preact/hooks'

interface JsonProps {
  readonly id: string
  readonly value: unknown
  readonly disabled: boolean
  onChange(value: unknown): void
}

interface JsonFault {
  readonly offset: number
  readonly length: number
  readonly text: string
}

function findJsonFault(text: string): JsonFault | undefined {
  const errors: ParseError[] = []
  parse(text, errors, { disallowComments: true, allowTrailingComma: false })
  const [first] = errors
  if (first === undefined) return undefined
  const { offset, length, error } = first
  const before = text.slice(0, offset).split('\n')
  const words = printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
  return {
    offset,
    length,
    text: `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: ${words}`,
  }
}

/** The field keeps the text until it is valid JSON. */
export function JsonInput({ value, onChange, ...rest }: JsonProps) {
  const written = value === undefined || value === null ? '' : JSON.stringify(value, undefined, 2)
  const [draft, setDraft] = useState<{ readonly text: string; readonly fault: JsonFault }>()
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(
    () => area.current?.setCustomValidity(draft === undefined ? '' : 'This is not JSON yet.'),
    [draft],
  )
  return (
    <>
      <textarea
        {...rest}
        ref={area}
        class="mono"
        spellcheck={false}
        aria-invalid={draft !== undefined || undefined}
        aria-describedby={draft && `${rest.id}-fault`}
        value={draft?.text ?? written}
        onInput={({ currentTarget: { value: text } }) => {
          const fault = text.trim() === '' ? undefined : findJsonFault(text)
          setDraft(fault && { text, fault })
          if (fault === undefined) onChange(text.trim() === '' ? null : JSON.parse(text))
        }}
      />
      {draft !== undefined && (
        <p class="fault error" id={`${rest.id}-fault`}>
          not JSON yet, so it is not saved: {draft.fault.text}{' '}
          <button
            type="button"
            class="small"
            onClick={() => {
              const { offset, length } = draft.fault
              area.current?.focus()
              area.current?.setSelectionRange(offset, offset + Math.max(1, length))
            }}
          >
            Show the place
          </button>
        </p>
      )}
    </>
  )
}

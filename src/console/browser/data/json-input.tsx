// Edits JSON as text, and shows the position of a fault with a button that leads there.

import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { useRef, useState } from 'preact/hooks'
import type { TextEditor } from '../editor/text-editor.ts'
import { CodeInput } from './code-input.tsx'
import type { InputProps } from './labelled.tsx'

interface JsonProps {
  readonly input: InputProps
  readonly label: string
  readonly value: unknown
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

/** The field keeps the text as it is written, and passes it on when it is valid JSON. */
export function JsonInput({ input, label, value, onChange }: JsonProps) {
  const [draft, setDraft] = useState<{ readonly text: string; readonly value: unknown }>()
  const editor = useRef<TextEditor>(undefined)
  const [fault, setFault] = useState<JsonFault>()
  const written = value === undefined || value === null ? '' : JSON.stringify(value, undefined, 2)
  // A value from elsewhere, as after saving, takes the place of the text unless it says the same.
  const isOwn = draft !== undefined && (fault !== undefined || isEqual(draft.value, value))
  const id = `json-fault-of-${input.id}`
  const told = [input['aria-describedby'], fault && id].filter((one) => one !== undefined).join(' ')
  return (
    <>
      <CodeInput
        input={{
          ...input,
          'aria-invalid': input['aria-invalid'] ?? (fault !== undefined || undefined),
          'aria-describedby': told === '' ? undefined : told,
        }}
        {...{ label, editor }}
        language="json"
        unfinished={fault && 'This is not JSON yet.'}
        text={isOwn ? draft.text : written}
        onText={(text) => {
          const isEmpty = text.trim() === ''
          const found = isEmpty ? undefined : findJsonFault(text)
          const next: unknown = found !== undefined ? value : isEmpty ? null : JSON.parse(text)
          setFault(found)
          setDraft({ text, value: next })
          if (found === undefined) onChange(next)
        }}
      />
      {fault !== undefined && (
        <p class="fault error" id={id}>
          not JSON yet, so it is not saved: {fault.text}{' '}
          <button
            type="button"
            class="small"
            onClick={() => editor.current?.select(fault.offset, fault.offset + Math.max(1, fault.length))}
          >
            Show the place
          </button>
        </p>
      )}
    </>
  )
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

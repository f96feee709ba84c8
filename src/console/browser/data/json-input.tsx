// Edits JSON as text, and shows the position of a fault with a button that leads there.

import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { useRef, useState } from 'preact/hooks'
import type { TextEditor } from '../editor/text-editor.ts'
import { say } from '../messages.ts'
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
  return {
    offset,
    length,
    text: say('line {line}, column {column}: {fault}', {
      line: before.length,
      column: (before.at(-1) ?? '').length + 1,
      fault: explain(printParseErrorCode(error)),
    }),
  }
}

function explain(code: string): string {
  const words: Readonly<Record<string, string>> = {
    InvalidSymbol: say('invalid symbol'),
    InvalidNumberFormat: say('invalid number format'),
    PropertyNameExpected: say('property name expected'),
    ValueExpected: say('value expected'),
    ColonExpected: say('colon expected'),
    CommaExpected: say('comma expected'),
    CloseBraceExpected: say('close brace expected'),
    CloseBracketExpected: say('close bracket expected'),
    EndOfFileExpected: say('end of file expected'),
    InvalidCommentToken: say('invalid comment token'),
    UnexpectedEndOfComment: say('unexpected end of comment'),
    UnexpectedEndOfString: say('unexpected end of string'),
    UnexpectedEndOfNumber: say('unexpected end of number'),
    InvalidUnicode: say('invalid unicode'),
    InvalidEscapeCharacter: say('invalid escape character'),
    InvalidCharacter: say('invalid character'),
  }
  return words[code] ?? code
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
        unfinished={fault && say('This is not JSON yet.')}
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
          {say('not JSON yet, so it is not saved: {fault}', { fault: fault.text })}{' '}
          <button
            type="button"
            class="small"
            onClick={() => editor.current?.select(fault.offset, fault.offset + Math.max(1, fault.length))}
          >
            {say('Show the place')}
          </button>
        </p>
      )}
    </>
  )
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

// An input whose value is not its text: what is being typed stays as it is, such as `1.` on the way to 1.5.

import type { InputHTMLAttributes } from 'preact'
import { useState } from 'preact/hooks'
import type { InputProps } from './labelled.tsx'

interface TypedProps {
  readonly input: InputProps
  readonly value: unknown
  readonly more: InputHTMLAttributes<HTMLInputElement>
  format(value: unknown): string
  parse(text: string): unknown
  onChange(value: unknown): void
}

export function TypedInput({ input, value, more, format, parse, onChange }: TypedProps) {
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: unknown }>()
  return (
    <input
      {...input}
      {...more}
      value={typed !== undefined && typed.value === value ? typed.text : format(value)}
      onInput={({ currentTarget: { value: text } }) => {
        const next = parse(text)
        setTyped({ text, value: next })
        onChange(next)
      }}
    />
  )
}

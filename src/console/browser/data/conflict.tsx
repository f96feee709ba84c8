// What others have saved while a form was open, beside what its editor has changed.

import type { Attribute, Model } from '../../described.ts'
import { say, sayCount } from '../messages.ts'
import { formatValue } from './format-value.ts'
import type { Values } from './values.ts'

interface Merge {
  /** Theirs where only they changed an attribute, otherwise the editor's. */
  readonly merged: Values
  /** Their values of the attributes that both changed, and differently. */
  readonly both: Values
  /** The attributes that only they changed. */
  readonly others: readonly string[]
}

/** `original`: the values that the editor began with. */
export function mergeValues(original: Values, own: Values, theirs: Values): Merge {
  const changed = (values: Values): readonly string[] =>
    Object.keys(values).filter((name) => !isEqual(values[name], original[name]))
  const mine = changed(own)
  const moved = changed(theirs)
  const both = moved.filter((name) => mine.includes(name) && !isEqual(own[name], theirs[name]))
  const others = moved.filter((name) => !mine.includes(name))
  const taken = Object.fromEntries(others.map((name) => [name, theirs[name]]))
  return {
    merged: { ...own, ...taken },
    both: Object.fromEntries(both.map((name) => [name, theirs[name]])),
    others,
  }
}

/** An empty text is no value, as in a field that was cleared. */
export function isEqual(one: unknown, other: unknown): boolean {
  return toText(one) === toText(other)
}

function toText(value: unknown): string {
  return value === '' ? 'null' : JSON.stringify(value ?? null)
}

export function describeConflict(both: readonly string[], others: readonly string[]): string {
  const taken =
    others.length === 0
      ? []
      : sayCount(others.length, 'Their {names} is in the form now.', 'Their {names} are in the form now.', {
          names: others.join(', '),
        })
  const sentences =
    both.length === 0
      ? [say('Somebody else saved the entry meanwhile; nothing of yours is lost.'), taken, say('Save again.')]
      : [
          say('Somebody else changed {names} meanwhile, too.', { names: both.join(', ') }),
          taken,
          say('Choose for each of them, and save again.'),
        ]
  return sentences.flat().join(' ')
}

interface ConflictProps {
  readonly attribute: Attribute
  readonly model: Model
  readonly mine: unknown
  readonly theirs: unknown
  /** True: their value is taken. */
  onChoose(theirs: boolean): void
}

export function Conflict({ attribute, model, mine, theirs, onChoose }: ConflictProps) {
  const { label } = attribute
  const side = (title: string, value: unknown, action: string, name: string, taken: boolean) => (
    <div>
      <strong>{title}</strong>
      <div class="readable">
        {formatValue(attribute, value, model) || <span class="quiet">{say('nothing')}</span>}
      </div>
      <button type="button" class="small" aria-label={name} onClick={() => onChoose(taken)}>
        {action}
      </button>
    </div>
  )
  return (
    <section class="notice wrong conflict" role="group" aria-label={say('Conflict of {label}', { label })}>
      {side(say('Yours'), mine, say('Keep mine'), say('Keep mine of {label}', { label }), false)}
      {side(
        say('Saved meanwhile'),
        theirs,
        say('Take theirs'),
        say('Take theirs of {label}', { label }),
        true,
      )}
    </section>
  )
}

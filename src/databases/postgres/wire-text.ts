// Writes values as the text that is sent to the server. An invalid value is a bug, and throws.

import type { SqlValue, Statement } from '../../sql/statement.ts'
import { checkValues } from '../check-values.ts'
import type { Step } from '../database.ts'
import type { Sent } from './statement-batch.ts'

const placeholders = new WeakMap<Statement, number>()

export function sentOf({ statement, values }: Step): Sent {
  let count = placeholders.get(statement)
  if (count === undefined) {
    count = countPlaceholders(statement.text)
    placeholders.set(statement, count)
  }
  checkValues(values, count)
  return { text: statement.text, values: values.map(wireText) }
}

function wireText(value: SqlValue): string | null {
  if (value === null) return null
  if (typeof value === 'object') return `\\x${Buffer.from(value).toString('hex')}`
  return String(value)
}

const QUOTED = /(['"])(?:(?!\1).|\1\1)*\1/gs

function countPlaceholders(text: string): number {
  let most = 0
  for (const [, number] of text.replace(QUOTED, '').matchAll(/\$(\d+)/g))
    most = Math.max(most, Number(number))
  return most
}

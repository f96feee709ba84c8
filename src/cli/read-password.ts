// Asks for a password twice on a terminal, reads it from standard input elsewhere, or makes one.

import { randomBytes } from 'node:crypto'
import type { GivenPassword } from '../plugins/plugin.ts'
import type { Io } from './io.ts'

/** 24 characters, too many to guess. */
const MADE_BYTES = 18

export async function readPassword(
  { askSecret, readInput }: Pick<Io, 'askSecret' | 'readInput'>,
  generate: boolean,
): Promise<GivenPassword | { readonly fault: string }> {
  if (generate) return { password: randomBytes(MADE_BYTES).toString('base64url'), made: true }
  if (askSecret !== undefined) {
    const password = await askSecret('Password: ')
    if (password === '') return { fault: 'no password was given: nothing is changed' }
    if ((await askSecret('The same again: ')) !== password)
      return { fault: 'the two passwords differ: nothing is changed' }
    return { password, made: false }
  }
  // `echo` ends its line, which is not part of the password.
  const password = ((await readInput?.()) ?? '').replace(/\r?\n$/, '')
  if (password === '')
    return { fault: 'no password was given: write it to standard input, or let --generate make one' }
  if (/[\r\n]/.test(password)) return { fault: 'standard input has several lines: a password is one line' }
  return { password, made: false }
}

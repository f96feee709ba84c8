// Who decides about colours: NO_COLOR, then FORCE_COLOR, then the terminal.

import { expect, test } from 'vitest'
import { wantsColors } from '../../../src/cli/io.ts'

const rows: readonly [
  name: string,
  env: Record<string, string | undefined>,
  isTty: boolean,
  expected: boolean,
][] = [
  ['a terminal', {}, true, true],
  ['a pipe', {}, false, false],
  ['a terminal that cannot', { TERM: 'dumb' }, true, false],
  ['NO_COLOR on a terminal', { NO_COLOR: '1' }, true, false],
  ['an empty NO_COLOR says nothing', { NO_COLOR: '' }, true, true],
  ['FORCE_COLOR in a pipe', { FORCE_COLOR: '1' }, false, true],
  ['FORCE_COLOR without a value', { FORCE_COLOR: '' }, false, true],
  ['FORCE_COLOR switched off', { FORCE_COLOR: '0' }, true, false],
  ['NO_COLOR before FORCE_COLOR', { NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
]
test.each(rows)('%s', (_name, env, isTty, expected) => {
  expect(wantsColors(env, isTty)).toBe(expected)
})

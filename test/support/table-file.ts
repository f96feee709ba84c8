// A table of cases in a text file, each with a title, what is given and what is expected:
//
//   # a title
//   what is given, on any number of lines
//   ----
//   what is expected
//
// `UPDATE=1` writes what came out instead of what was expected: read every line of it.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

/** One test for each case of each `.case` file in the folder. */
export function runTables(folder: string, outcomeOf: (given: readonly string[]) => string): void {
  const names = readdirSync(folder).filter((name) => name.endsWith('.case'))
  expect(names.length).toBeGreaterThan(0)
  for (const name of names) {
    const file = join(folder, name)
    const written: string[] = []
    describe(name.replace(/\.case$/, ''), () => {
      const cases = readFileSync(file, 'utf8')
        .split(/^# /m)
        .slice(1)
        .map((text) => parseCase(text, file))
      test.each(cases)('$title', ({ title, given, expected }) => {
        let outcome = '(it threw)'
        try {
          outcome = outcomeOf(given)
        } finally {
          written.push(`# ${title}\n${given.join('\n')}\n----\n${outcome}\n`)
        }
        if (process.env['UPDATE'] !== '1') expect(outcome).toBe(expected)
      })
    })
    if (process.env['UPDATE'] === '1') afterAll(() => writeFileSync(file, written.join('\n')))
  }
}

function parseCase(text: string, file: string) {
  const [title = '', ...lines] = text.replace(/\n+$/, '').split('\n')
  const middle = lines.indexOf('----')
  if (middle === -1) throw new Error(`${file}: "${title}" has no line of dashes`)
  return { title, given: lines.slice(0, middle), expected: lines.slice(middle + 1).join('\n') }
}

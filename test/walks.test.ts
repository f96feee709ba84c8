// Six requests through the code (`npm run walks`): no change makes their ways longer. A way that has become shorter is written
// down here and in ARCHITECTURE.md.

import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Files entered and changes of room, with a little more than there are: statistics that are read again after five seconds count. */
const budgets = {
  'first GET': { files: 100, roomChanges: 120 },
  'the same again': { files: 99, roomChanges: 112 },
  cached: { files: 28, roomChanges: 21 },
  POST: { files: 131, roomChanges: 131 },
  'GraphQL list': { files: 116, roomChanges: 148 },
  'an edit': { files: 319, roomChanges: 571 },
} as const

test('no way is longer than before', { timeout: 120_000 }, () => {
  const script = ['--import', 'tsx', 'tools/scripts/walks.ts', '--json']
  const walks = JSON.parse(execFileSync(process.execPath, script, { encoding: 'utf8' })) as readonly {
    readonly name: string
    readonly files: number
    readonly roomChanges: number
    readonly depth: number
  }[]
  expect(walks.map(({ name }) => name)).toEqual(Object.keys(budgets))
  for (const { name, files, roomChanges } of walks) {
    const budget = budgets[name as keyof typeof budgets]
    expect(files, `files of ${name}`).toBeLessThanOrEqual(budget.files)
    expect(roomChanges, `room changes of ${name}`).toBeLessThanOrEqual(budget.roomChanges)
  }
  // The instruments work: a request passes more than a handful of files, and one that is not cached runs a statement.
  expect(walks[0]?.files).toBeGreaterThan(20)
  expect(walks[0]?.depth).toBeGreaterThan(5)
})

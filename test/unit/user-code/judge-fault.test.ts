// Whose a fault is that reached the top of the process.

import { expect, test } from 'vitest'
import { judgeFault } from '../../../src/user-code/judge-fault.ts'

const USER = '/site/policies/owner.ts'
const LIBRARY = '/site/node_modules/axios/index.js'
const OURS = '/site/node_modules/cms-run/dist/cli.cjs'

function thrown(...frames: readonly string[]): Error {
  const error = new TypeError('no')
  error.stack = ['TypeError: no', ...frames.map((frame) => `    at f (${frame}:3:9)`)].join('\n')
  return error
}

test.each<[string, unknown, 'user' | 'server', 'user' | 'server']>([
  ['the user’s file alone', thrown(USER, 'node:internal/timers'), 'user', 'server'],
  ['our code that the user called', thrown(OURS, USER), 'user', 'server'],
  ['the user’s code that we called', thrown(USER, OURS), 'user', 'server'],
  ['a package that the user called', thrown(LIBRARY, USER), 'user', 'server'],
  ['a package alone', thrown(LIBRARY), 'user', 'server'],
  ['an event of Node', thrown('node:net', 'node:events'), 'user', 'server'],
  ['no stack', thrown(), 'user', 'server'],
  ['no error', 'just a text', 'user', 'server'],
  ['nothing', undefined, 'user', 'server'],
  ['our code alone', thrown(OURS), 'server', 'server'],
  ['our code in a package', thrown('/x/node_modules/graphql/index.js', OURS), 'server', 'server'],
])('%s', (_name, fault, withCode, without) => {
  const ownDirectory = '/site/node_modules/cms-run/dist/'
  // A file of which another one's name is a part is another file.
  const userFiles = new Set([USER])
  expect(judgeFault(fault, { userFiles, ownDirectory }).owner).toBe(withCode)
  const other = judgeFault(fault, { userFiles: new Set(), ownDirectory })
  expect([other.owner, other.where]).toEqual([without, undefined])
})

test('the message and the place are those of the user', () => {
  const sides = { userFiles: new Set([USER]), ownDirectory: '/nowhere/' }
  expect(judgeFault(thrown(LIBRARY, USER, USER), sides)).toMatchObject({
    message: 'TypeError: no',
    where: expect.stringMatching(/^at .*policies\/owner\.ts:3:9, called from .*policies\/owner\.ts:3:9$/),
  })
})

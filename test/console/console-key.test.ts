// The key of the console that a start finds again.

import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepConsoleKey } from '../../src/console/console-key.ts'
import { newFolder } from '../archive/in-file.ts'

const isPosix = process.platform !== 'win32'

test.runIf(isPosix)('is the same for the same file, and another for another', () => {
  const env = { XDG_CACHE_HOME: newFolder() }
  const key = keepConsoleKey('/srv/a/cms.yaml', env)
  expect(key).toMatch(/^[\w-]{32}$/)
  expect(keepConsoleKey('/srv/a/cms.yaml', env)).toBe(key)
  expect(keepConsoleKey('/srv/b/cms.yaml', env)).not.toBe(key)
  const folder = join(env.XDG_CACHE_HOME, 'cms-run')
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
})

test.runIf(isPosix)('is not believed where others may have written it, and needs no folder', () => {
  const env = { XDG_CACHE_HOME: newFolder() }
  const key = keepConsoleKey('/srv/cms.yaml', env)
  const folder = join(env.XDG_CACHE_HOME, 'cms-run')
  const [name = ''] = readdirSync(folder)
  chmodSync(join(folder, name), 0o644)
  expect(keepConsoleKey('/srv/cms.yaml', env)).not.toBe(key)
  const known = join(env.XDG_CACHE_HOME, 'known')
  writeFileSync(known, 'a'.repeat(32), { mode: 0o600 })
  const linked = { XDG_CACHE_HOME: newFolder() }
  mkdirSync(join(linked.XDG_CACHE_HOME, 'cms-run'))
  symlinkSync(known, join(linked.XDG_CACHE_HOME, 'cms-run', name))
  expect(keepConsoleKey('/srv/cms.yaml', linked)).not.toBe('a'.repeat(32))
  expect(keepConsoleKey('/srv/cms.yaml', { XDG_CACHE_HOME: known })).toMatch(/^[\w-]{32}$/)
})

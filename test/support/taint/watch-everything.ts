// Runs before every test file: whatever leaves cms-run in a test (answers of `fetch` in the process, bytes of sockets and
// of other processes, lines of the log, reports, output of commands) is searched for values that must not leave.

import { afterEach, expect, vi } from 'vitest'
import { emptyTrap, takeLeaks } from './trap.ts'
import './watch-process.ts'

emptyTrap()

vi.mock('../../../src/app/check-config.ts', async (original) => {
  const { addCanary, addSecretsOf } = await import('./trap.ts')
  const own = await original<typeof import('../../../src/app/check-config.ts')>()
  return {
    ...own,
    async checkConfig(...given: Parameters<typeof own.checkConfig>) {
      const checked = await own.checkConfig(...given)
      for (const text of checked.secrets.texts) addCanary(text, 'a secret of the environment')
      addSecretsOf(checked.config)
      return checked
    },
  }
})

vi.mock('../../../src/write/create-content.ts', async (original) => {
  const { addPrivateOf } = await import('./trap.ts')
  const own = await original<typeof import('../../../src/write/create-content.ts')>()
  return {
    ...own,
    createContent(...given: Parameters<typeof own.createContent>) {
      const content = own.createContent(...given)
      const { create, update, seed } = content
      return Object.assign(content, {
        create: (...args: Parameters<typeof create>) => {
          addPrivateOf(args[0], args[1])
          return create.apply(content, args)
        },
        update: (...args: Parameters<typeof update>) => {
          addPrivateOf(args[0], args[2])
          return update.apply(content, args)
        },
        seed: (...args: Parameters<typeof seed>) => {
          for (const { type, data } of args[0]) addPrivateOf(type, data)
          return seed.apply(content, args)
        },
      })
    },
  }
})

vi.mock('../../../src/observe/log/create-log.ts', async (original) => {
  const trap = await import('./trap.ts')
  const own = await original<typeof import('../../../src/observe/log/create-log.ts')>()
  return {
    ...own,
    createLog(options: Parameters<typeof own.createLog>[0]) {
      const silent = options.level === 'silent'
      return own.createLog({
        ...options,
        // What nobody asked to see is searched all the same.
        level: silent ? 'debug' : options.level,
        write(text) {
          // In development the log is where mails go: their links are meant to be read there.
          if (!/mail to \S+, not sent: /.test(text)) trap.search('log', text)
          if (!silent) options.write(text)
        },
      })
    },
  }
})

vi.mock('../../../src/config/format-diagnostic.ts', async (original) => {
  const trap = await import('./trap.ts')
  const own = await original<typeof import('../../../src/config/format-diagnostic.ts')>()
  return {
    ...own,
    formatReport(...given: Parameters<typeof own.formatReport>) {
      const report = own.formatReport(...given)
      trap.search('report', report)
      return report
    },
  }
})

vi.mock('../../../src/cli/main.ts', async (original) => {
  const trap = await import('./trap.ts')
  const own = await original<typeof import('../../../src/cli/main.ts')>()
  return {
    ...own,
    runCli: (argv: readonly string[], io: Parameters<typeof own.runCli>[1]) =>
      own.runCli(argv, {
        ...io,
        out(text) {
          trap.search('command', text)
          io.out(text)
        },
        err(text) {
          trap.search('command', text)
          io.err(text)
        },
      }),
  }
})

afterEach(() => {
  expect(takeLeaks(), 'private values have left').toEqual([])
})

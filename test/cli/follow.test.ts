// `cms-run types --watch`: the file follows the configuration, and stays as it is while the configuration is wrong.

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { inFile } from '../archive/in-file.ts'
import { runCommand, startCommand } from '../support/run-command.ts'

const config = 'contentTypes: { article: { attributes: { title: string } } }\n'

test('edits are followed, wrong ones reported', async () => {
  const file = inFile(config)
  const cwd = dirname(file)
  const out = join(cwd, 'made/content.d.ts')
  const { printed, ready, stop } = startCommand(['types', file, '--out', 'made/content.d.ts', '--watch'], {
    cwd,
  })
  const until = (what: () => void): Promise<void> => vi.waitFor(what, { timeout: 60_000 })
  await until(() => expect(readFileSync(out, 'utf8')).toContain('readonly title: string | null'))
  await ready()
  const before = statSync(out).mtimeMs

  writeFileSync(file, config.replace('string', 'strin'))
  await until(() => expect(printed.err).toContain('cms.yaml:1:'))
  expect(readFileSync(out, 'utf8')).toContain('readonly title: string | null')

  writeFileSync(file, `# the same\n${config}`)
  await until(() => expect(printed.err).toContain('content.d.ts is up to date'))
  expect(statSync(out).mtimeMs).toBe(before)

  writeFileSync(file, config.replace('title: string', 'title: integer'))
  await until(() => expect(readFileSync(out, 'utf8')).toContain('readonly title: number | null'))
  expect((await stop()).code).toBe(0)
})

test('there must be a file to write, and it must be possible', async () => {
  const file = inFile(config)
  const cwd = dirname(file)
  expect(await runCommand(['types', file, '--watch'], { cwd })).toMatchObject({
    code: 2,
    err: 'cms-run: --watch needs to know where to: --out content.d.ts\n',
  })
  const refused = await runCommand(['client', file, '--out', 'cms.yaml/client.ts'], { cwd })
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toContain('cms.yaml/client.ts cannot be written: ')
  expect(existsSync(join(cwd, 'client.ts'))).toBe(false)
})

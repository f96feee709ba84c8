import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCli } from '../../src/cli/main.ts'
import { newFolder } from '../archive/in-file.ts'
import { runCommand } from '../support/run-command.ts'

test('cms.yaml with a blog by default, as JSON for programs', async () => {
  const cwd = newFolder()
  const { code, out, err } = await runCommand(['init', '--json'], { cwd })
  expect([code, err]).toEqual([0, ''])
  expect(JSON.parse(out)).toEqual({ ok: true, file: 'cms.yaml', template: 'blog', diagnostics: [] })
  expect(readFileSync(join(cwd, 'cms.yaml'), 'utf8')).toContain('# A blog.')
})

test('where the package is installed, editors take the schema from there', async () => {
  const cwd = newFolder()
  mkdirSync(join(cwd, 'node_modules/cms-run/schemas'), { recursive: true })
  writeFileSync(join(cwd, 'node_modules/cms-run/schemas/cms.schema.json'), '{}')
  await runCommand(['init'], { cwd })
  expect(readFileSync(join(cwd, 'cms.yaml'), 'utf8')).toMatch(
    /^# yaml-language-server: \$schema=\.\/node_modules\/cms-run\/schemas\/cms\.schema\.json\n/,
  )
})

test('what is there is not touched without --force', async () => {
  const cwd = newFolder()
  const file = join(cwd, 'cms.yaml')
  writeFileSync(file, 'mine')
  expect(await runCommand(['init'], { cwd })).toEqual({
    code: 1,
    out: '',
    err: 'cms-run: cms.yaml is there already; --force replaces it\n',
  })
  expect(readFileSync(file, 'utf8')).toBe('mine')
  expect(await runCommand(['init', '--force', '--template', 'shop'], { cwd })).toMatchObject({ code: 0 })
  expect(readFileSync(file, 'utf8')).toContain('# A shop')
  expect(await runCommand(['init', join(cwd, 'missing/cms.yaml')], { cwd })).toMatchObject({
    code: 1,
    err: expect.stringContaining('cannot be written'),
  })
})

test('cms-run where there is no file says how to make one', async () => {
  const cwd = newFolder()
  expect(await runCommand([], { cwd })).toEqual({
    code: 1,
    out: '',
    err: 'cms-run: there is no cms.yaml in this folder; make one with: npx cms-run init (a blog; --template shop, site, calendar for another)\n',
  })
  const { out } = await runCommand(['--json'], { cwd })
  expect(JSON.parse(out)).toMatchObject({ ok: false, diagnostics: [{ code: 'CLI004' }] })
  // A file that was named is missed.
  expect((await runCommand(['other.yaml'], { cwd })).err).toContain('cannot read other.yaml')
})

/** `cms-run` on a terminal where somebody types `answer`, until the server says that it listens. */
async function onTerminal(cwd: string, answer: string): Promise<{ code: number; said: string }> {
  let said = ''
  let stop = (): void => {}
  const code = await runCli(['--port', '0', '--no-watch'], {
    cwd,
    env: { NO_COLOR: '1' },
    isTty: true,
    ask: async (question) => {
      said += question
      return answer
    },
    out(text) {
      said += text
      if (text.includes('listening')) setTimeout(() => stop(), 0)
    },
    err(text) {
      said += text
    },
    onSignal(name, act) {
      if (name === 'SIGTERM') stop = act
      return () => {}
    },
    onFault: () => () => {},
  })
  return { code, said }
}

test('on a terminal it offers to', async () => {
  const cwd = newFolder()
  const before = process.cwd()
  process.chdir(cwd)
  onTestFinished(() => process.chdir(before))
  const { code, said } = await onTerminal(cwd, 'y')
  expect(said).toMatch(
    /^There is no cms\.yaml in this folder\. Write one, a small blog, and serve it\? \[y\/N\] /,
  )
  expect(said).toContain('/api/articles')
  expect(code).toBe(0)
  expect(readFileSync(join(cwd, 'cms.yaml'), 'utf8')).toContain('# A blog.')
})

test.each(['', 'n', 'no', 'maybe'])('and takes %j for a no', async (answer) => {
  const cwd = newFolder()
  const { code, said } = await onTerminal(cwd, answer)
  expect(code).toBe(1)
  expect(said).toContain('make one with: npx cms-run init')
  expect((await runCommand(['validate', join(cwd, 'cms.yaml')], { cwd })).code).toBe(1)
})

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { newFolder } from '../archive/in-file.ts'
import { runCommand } from '../support/run-command.ts'

test('a starter file that is right and answers', async () => {
  const cwd = newFolder()
  const file = join(cwd, 'site.yaml')
  expect(await runCommand(['init', file], { cwd })).toEqual({
    code: 0,
    out: `${file} is written; start it with: cms-run ${file}\n`,
    err: '',
  })
  expect(await runCommand(['validate', file], { cwd })).toMatchObject({ code: 0, err: '' })
  const cms = await createCms(file, { env: {} })
  const response = await cms.fetch('/api/articles?populate=author')
  expect(await response.json()).toMatchObject({
    data: [{ attributes: { title: 'Hello', author: { data: { attributes: { name: 'Ann' } } } } }],
    meta: { pagination: { total: 1 } },
  })
  await cms.close()
})

test('cms.yaml by default, as JSON for programs', async () => {
  const cwd = newFolder()
  expect(await runCommand(['init', '--json'], { cwd })).toEqual({
    code: 0,
    out: '{\n  "file": "cms.yaml"\n}\n',
    err: '',
  })
  expect(readFileSync(join(cwd, 'cms.yaml'), 'utf8')).toContain('contentTypes:')
})

test('what is there is not touched', async () => {
  const cwd = newFolder()
  const file = join(cwd, 'cms.yaml')
  writeFileSync(file, 'mine')
  expect(await runCommand(['init'], { cwd })).toEqual({
    code: 1,
    out: '',
    err: 'cms-run: cms.yaml is there already\n',
  })
  expect(readFileSync(file, 'utf8')).toBe('mine')
  expect(await runCommand(['init', join(cwd, 'missing/cms.yaml')], { cwd })).toMatchObject({
    code: 1,
    err: expect.stringContaining('cannot be written'),
  })
})

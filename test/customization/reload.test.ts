// Code that changes under a running server: what is whole is taken, what is broken is not, and nobody is refused.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

const YAML = `
contentTypes: { note: { attributes: { text: string } } }
routes: [{ path: /answer, handler: ./answer.ts, auth: false }]
`

let directory: string
let cms: Cms

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cms-code-reload-'))
  write('cms.yaml', YAML)
  write('answer.ts', 'import { answer } from "./imported.ts"\nexport default (): unknown => ({ answer })')
  write('imported.ts', 'export const answer: number = 1')
})
afterEach(async () => {
  await cms.close()
  rmSync(directory, { recursive: true, force: true })
})

function write(name: string, text: string): void {
  writeFileSync(join(directory, name), text)
}

async function answer(): Promise<unknown> {
  return ((await (await cms.fetch('/api/answer')).json()) as { answer: unknown }).answer
}

test('an edit of an imported file is taken; a broken one is refused with its place, and mended', async () => {
  cms = await createCms(join(directory, 'cms.yaml'), { env: {} })
  expect(await answer()).toBe(1)
  write('imported.ts', 'export const answer: number = 2')
  await cms.reload()
  expect(await answer()).toBe(2)
  write('imported.ts', 'interface A {}\nexport const answer: number = nope()')
  await expect(cms.reload()).rejects.toThrow(/USR002[\s\S]*ReferenceError: nope[\s\S]*at imported\.ts:2:/)
  expect(await answer()).toBe(2)
  write('imported.ts', 'export const answer: number = 3')
  await cms.reload()
  expect(await answer()).toBe(3)
})

test('edits of files that the configuration names, and of files that these import, are followed', async () => {
  cms = await createCms(join(directory, 'cms.yaml'), { env: {}, watch: true })
  write('imported.ts', 'export const answer: number = 2')
  while ((await answer()) !== 2) await new Promise((resolve) => setTimeout(resolve, 20))
  write('answer.ts', 'import { other } from "./other.ts"\nexport default (): unknown => ({ answer: other })')
  write('other.ts', 'export const other: number = 4')
  while ((await answer()) !== 4) await new Promise((resolve) => setTimeout(resolve, 20))
  write('other.ts', 'export const other: number = 5')
  while ((await answer()) !== 5) await new Promise((resolve) => setTimeout(resolve, 20))
})

test('a file that an edit brings in is followed while it is broken, before and after it was taken once', async () => {
  cms = await createCms(join(directory, 'cms.yaml'), { env: {}, watch: true })
  const until = async (wanted: number): Promise<void> => {
    while ((await answer()) !== wanted) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  for (const wanted of [2, 3]) {
    write('other.ts', 'export const other: number = (')
    write(
      'answer.ts',
      'import { other } from "./other.ts"\nexport default (): unknown => ({ answer: other })\n',
    )
    await expect(cms.reload()).rejects.toThrow('other.ts:1:31')
    write('other.ts', `export const other: number = ${wanted}`)
    await until(wanted)
  }
})

test('register and bootstrap run for every generation; one that fails leaves the old one serving', async () => {
  write('cms.yaml', `${YAML}extensions: ./extensions.ts\n`)
  const extensions = (line: string): string => `
    export const register = (cms) => cms.graphql.extension.shadowCRUD('note').disable()
    export async function bootstrap(cms) { ${line} }`
  write('extensions.ts', extensions('await cms.entries("note").create({ text: "one" })'))
  cms = await createCms(join(directory, 'cms.yaml'), { env: {} })
  expect(await cms.entries('note').count()).toBe(1)
  write('extensions.ts', extensions('throw new Error("not today")'))
  await expect(cms.reload()).rejects.toThrow(
    /USR009.*bootstrap\(\) failed: Error: not today[\s\S]*extensions\.ts:3/,
  )
  expect(await answer()).toBe(1)
  write('extensions.ts', extensions('await cms.entries("note").create({ text: "two" })'))
  await cms.reload()
  expect(await cms.entries('note').count()).toBe(2)
})

test('a bootstrap that does not end is refused by name, changes nothing any more, and the next edit is taken', async () => {
  const config = (more: string): string =>
    `server: { limits: { bootstrap: 6s } }\n${YAML}extensions: ./extensions.ts\n${more}`
  write('cms.yaml', config(''))
  write('extensions.ts', 'export const bootstrap = (cms) => cms.entries("note").create({ text: "one" })')
  const lines: string[] = []
  cms = await createCms(join(directory, 'cms.yaml'), { env: {}, log: (line) => void lines.push(line) })
  write(
    'extensions.ts',
    `export async function bootstrap(cms) {
      globalThis.late = new Promise((done) => {
        globalThis.goOn = async () => {
          done(await cms.entries("note").create({ text: "late" }).catch((error) => error.message))
        }
      })
      await new Promise(() => {})
    }`,
  )
  await expect(cms.reload()).rejects.toThrow(
    /USR009.*bootstrap\(\) of \.\/extensions\.ts was not done after 6 seconds[\s\S]*cms\.yaml:5/,
  )
  expect(lines.join('')).toContain('bootstrap() of ./extensions.ts still runs after 5 seconds')
  const { goOn, late } = globalThis as unknown as { goOn(): Promise<void>; late: Promise<string> }
  await goOn()
  expect(await late).toContain('the configuration of this code was not taken')
  expect(await answer()).toBe(1)
  expect(await cms.entries('note').count()).toBe(1)
  write('cms.yaml', config('').replace('6s', '20s'))
  write('extensions.ts', 'export const bootstrap = (cms) => cms.entries("note").create({ text: "two" })')
  await cms.reload()
  expect(await cms.entries('note').count()).toBe(2)
  expect(lines.join('')).not.toContain('takes effect at the next start')
})

test('a register that does not end is refused by name, and so is a function that makes an extension', async () => {
  const config = (more: string): string => `${YAML}plugins: { graphql: true }\n${more}`
  write('cms.yaml', config(''))
  write('register.ts', 'export const register = () => new Promise(() => {})')
  write('extension.ts', 'export default () => new Promise(() => {})')
  cms = await createCms(join(directory, 'cms.yaml'), { env: {} })
  write('cms.yaml', config('extensions: ./register.ts'))
  await expect(cms.reload()).rejects.toThrow(/register\(\) of \.\/register\.ts was not done after 10 seconds/)
  write('cms.yaml', config('graphql: { extensions: [./extension.ts] }'))
  await expect(cms.reload()).rejects.toThrow(
    /the extension of \.\/extension\.ts was not done after 10 seconds/,
  )
  expect(await answer()).toBe(1)
})

test('edits of the YAML alone run no code again', async () => {
  write(
    'imported.ts',
    'globalThis.runs = (globalThis.runs ?? 0) + 1\nexport const answer: number = globalThis.runs',
  )
  cms = await createCms(join(directory, 'cms.yaml'), { env: {} })
  const first = await answer()
  for (let edit = 0; edit < 5; edit += 1) {
    write('cms.yaml', YAML.replace('text: string', `text: string, more${edit}: string`))
    await cms.reload()
    expect(await answer()).toBe(first)
  }
  write('imported.ts', 'export const answer: number = globalThis.runs * 100')
  await cms.reload()
  expect(await answer()).toBe(Number(first) * 100)
})

// `data` is edited while clients write: no write that was acknowledged is lost.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

const configWith = (edit: number | string): string => `contentTypes:
  note: { attributes: { text: string } }
auth: { roles: { public: { permissions: ['note.*'] } } }
data:
  note: [{ text: of the file ${edit} }]
`

let file: string
let cms: Cms
let failing: (() => Promise<void>) | undefined
let held: (() => Promise<void>) | undefined

beforeEach(async () => {
  file = join(mkdtempSync(join(tmpdir(), 'cms-run-writes-')), 'cms.yaml')
  writeFileSync(file, configWith(0))
  failing = undefined
  held = undefined
  cms = await createCms(file, {
    env: {},
    log: () => {},
    bootstrap: () => failing?.(),
    lifecycles: { note: { afterCreate: () => held?.() } },
  })
})
afterEach(() => cms.close())

async function write(text: string): Promise<string> {
  const response = await cms.fetch('/api/notes', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: { text } }),
  })
  expect(response.status).toBe(200)
  return text
}

async function texts(): Promise<readonly unknown[]> {
  return (await cms.entries('note').findMany({ limit: 1000 })).map(({ text }) => text)
}

/** The content is what the file says, and nobody has written since. */
async function begin(edit: number | string): Promise<void> {
  writeFileSync(file, configWith(edit))
  await cms.reload({ data: true })
}

async function turns(count: number): Promise<void> {
  for (let done = 0; done < count; done++) await turn()
}

test('50 edits, each with a first write at another moment of it', async () => {
  for (let edit = 1; edit <= 50; edit++) {
    await begin(`before ${edit}`)
    writeFileSync(file, configWith(edit))
    let reloading = true
    const reloaded = cms.reload().finally(() => {
      reloading = false
    })
    const acknowledged: string[] = []
    const writers = ['a', 'b'].map(async (writer) => {
      await turns(edit)
      for (let count = 0; reloading || count < 2; count++) {
        acknowledged.push(await write(`${writer} ${edit} ${count}`))
        await turn()
      }
    })
    await Promise.all([reloaded, ...writers])
    const kept = await texts()
    expect(acknowledged.filter((text) => !kept.includes(text))).toEqual([])
    expect(kept).toContain(`of the file ${kept.includes(`of the file ${edit}`) ? '' : 'before '}${edit}`)
  }
})

test('a write that is not done when the edit is seen', async () => {
  let release = (): void => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  held = () => gate
  const written = write('slow')
  await turns(5)
  writeFileSync(file, configWith(1))
  const reloaded = cms.reload()
  await turns(200)
  release()
  await Promise.all([written, reloaded])
  expect(await texts()).toEqual(['of the file 0', 'slow'])
})

test('a write between the new data and a bootstrap that fails stays', async () => {
  failing = async () => {
    await write('meanwhile')
    throw new Error('no')
  }
  writeFileSync(file, configWith(1))
  await expect(cms.reload()).rejects.toThrow('no')
  expect(await texts()).toEqual(['of the file 1', 'meanwhile'])
})

test('a bootstrap that fails leaves the content as it was, and the next edit is followed', async () => {
  failing = () => Promise.reject(new Error('no'))
  writeFileSync(file, configWith(1))
  await expect(cms.reload()).rejects.toThrow('no')
  expect(await texts()).toEqual(['of the file 0'])
  failing = undefined
  writeFileSync(file, configWith(2))
  await cms.reload()
  expect(await texts()).toEqual(['of the file 2'])
})

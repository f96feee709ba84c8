// What the file says of content-types reaches the pages, at once after an edit, and does not open the console.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openConsole } from '../../src/app/serve-console.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { createCms } from '../../src/index.ts'

const contentTypes = {
  article: {
    attributes: {
      title: { type: 'string', displayName: 'Headline', description: 'Short.', placeholder: 'Elephants' },
      subTitle: 'string',
      cover: { type: 'media', displayName: 'Picture' },
    },
  },
}
const types = {
  article: {
    title: 'subTitle',
    list: ['subTitle'],
    groups: [{ label: 'Content', fields: ['subTitle', 'title'] }],
  },
}

interface Shown {
  readonly look: object
  readonly attributes: readonly { readonly name: string }[]
}

async function open(file: string, lines: string[] = []) {
  const cms = await createCms(file, { env: {}, log: (line) => void lines.push(line) })
  onTestFinished(() => cms.close())
  const { consoleUrl } = await cms.listen(0, '127.0.0.1')
  const key = /#key=(.+)$/.exec(consoleUrl ?? '')?.[1] ?? ''
  return {
    cms,
    consoleUrl,
    async show(): Promise<Shown | undefined> {
      const headers = { host: 'localhost:1337', 'x-console-key': key }
      const answered = await cms.fetch('/_console/model', { headers })
      return ((await answered.json()) as { types: (Shown & { name: string })[] }).types.find(
        ({ name }) => name === 'article',
      )
    },
  }
}

async function writeConfig(
  console: unknown,
): Promise<{ file: string; edit(console: unknown): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'cms-run-looks-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'cms.json')
  const plugins = { upload: true }
  const edit = (next: unknown): Promise<void> =>
    writeFile(file, JSON.stringify({ server: { port: 0 }, plugins, contentTypes, console: next }))
  await edit(console)
  return { file, edit }
}

test('an edit is shown at once, without a restart', async () => {
  const { file, edit } = await writeConfig(true)
  const lines: string[] = []
  const { cms, show } = await open(file, lines)
  const before = await show()
  expect(before).toMatchObject({ look: { title: 'title', list: ['cover', 'title', 'subTitle'] } })
  expect(before?.attributes).toMatchObject([
    { name: 'title', label: 'Headline', description: 'Short.', placeholder: 'Elephants' },
    { name: 'subTitle', label: 'Sub title' },
    { name: 'cover', label: 'Picture' },
  ])
  await edit({ edit: false, types })
  await cms.reload()
  lines.splice(0)
  const preview = 'https://front.example/{title}'
  await edit({ edit: false, types: { article: { ...types.article, preview } } })
  await cms.reload()
  expect((await show())?.look).toEqual({
    ...{ title: 'subTitle', list: ['subTitle'], preview },
    groups: [
      { label: 'Content', fields: ['subTitle', 'title'] },
      { label: '', fields: ['cover'] },
    ],
  })
  expect(lines.join('')).not.toContain('takes effect at the next start')
  await edit({ edit: true, types })
  await cms.reload()
  expect(lines.join('')).toContain('console changed: it takes effect at the next start')
})

test('types alone leave the console to development, where the command opens it', async () => {
  const ask = async (console: unknown, environment: string): Promise<readonly boolean[]> => {
    const object = { server: { environment }, contentTypes, console, plugins: { upload: true } }
    const { config } = await loadConfig({ object }, { env: {} })
    if (config === undefined) throw new Error('no configuration')
    return [true, false].map((byDefault) => openConsole(config, { byDefault }) !== undefined)
  }
  for (const console of [undefined, { types }, { types: {} }]) {
    expect(await ask(console, 'development')).toEqual([true, false])
    expect(await ask(console, 'production')).toEqual([false, false])
  }
  for (const console of [true, { edit: true }, { edit: false, types }])
    expect(await ask(console, 'production')).toEqual([true, true])
  expect(await ask(false, 'development')).toEqual([false, false])
})

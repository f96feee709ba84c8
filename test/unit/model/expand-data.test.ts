// The long form of `data`: whatever the file's form, expanding the long form once more changes nothing.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkConfig, isValid } from '../../../src/app/check-config.ts'
import { enablePlugins, listContributions } from '../../../src/plugins/plugin-host.ts'
import { toLongForm } from '../../../src/write/seeding/data-in-long-form.ts'

const test_ = join(import.meta.dirname, '../..')
const folders = [join(test_, 'api/configs'), join(test_, '../examples'), join(test_, 'config/good')]
const files = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => join(folder, name)),
)

const NOW = Date.parse('2024-05-06T07:08:09.010Z')

test.each(files)('%s', async (file) => {
  const checked = await checkConfig({ file }, { env: { SECRET: 'a', NUMBER: '1', WORD: 'b', EMPTY: '' } })
  if (!isValid(checked)) throw new Error(checked.diagnostics.map(({ message }) => message).join('\n'))
  const { config, model } = checked
  const given = listContributions(enablePlugins(config)).flatMap(({ entries }) => entries ?? [])
  const once = toLongForm(config, model, given, NOW)
  const twice = toLongForm({ data: once }, model, given, NOW + 86_400_000)
  expect(twice).toEqual(once)
})

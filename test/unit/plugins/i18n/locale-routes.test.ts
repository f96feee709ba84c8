import { expect, test } from 'vitest'
import { createCms } from '../../../../src/index.ts'

async function locales(
  config: Record<string, unknown> | undefined,
  permissions: readonly string[],
): Promise<unknown> {
  const i18n = config === undefined ? true : { config }
  const source = { contentTypes: {}, plugins: { i18n }, auth: { roles: { public: { permissions } } } }
  await using cms = await createCms(source, { env: {} })
  const response = await cms.fetch('/api/i18n/locales')
  return response.ok ? response.json() : response.status
}

const allowed = ['plugin::i18n.locales.listLocales']

test.each([
  [undefined, [{ id: 1, code: 'en', name: 'English (en)', isDefault: true }]],
  [
    { defaultLocale: 'fr', locales: ['en', { code: 'fr', name: 'Français' }, 'pt-BR'] },
    [
      { id: 1, code: 'en', name: 'English (en)', isDefault: false },
      { id: 2, code: 'fr', name: 'Français', isDefault: true },
      { id: 3, code: 'pt-BR', name: 'Brazilian Portuguese (pt-BR)', isDefault: false },
    ],
  ],
  [{ defaultLocale: 'de' }, [{ id: 1, code: 'de', name: 'German (de)', isDefault: true }]],
])('%j', async (config, expected) => {
  expect(await locales(config, allowed)).toMatchObject(expected)
})

test('for those who may', async () => {
  expect(await locales(undefined, [])).toBe(403)
})

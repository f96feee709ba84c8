// Code of Strapi's templates that fills a project at its first start: `strapi.store`, and permissions that it grants.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

let cms: Cms | undefined
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-store-'))
})

afterEach(async () => {
  await cms?.close()
  await rm(folder, { recursive: true })
})

const logged: string[] = []

async function start(bootstrap: string, database: object = { client: 'memory' }): Promise<unknown> {
  logged.length = 0
  await writeFile(
    join(folder, 'index.js'),
    `module.exports = { async bootstrap({ strapi }) { globalThis.toldByCode = await (async () => { ${bootstrap} })() } }`,
  )
  const config = {
    database,
    plugins: { 'users-permissions': { advanced: { allow_register: false } } },
    contentTypes: { note: { attributes: { text: 'string' } } },
    auth: { roles: { public: { permissions: ['note.find'] }, editor: { permissions: ['note.create'] } } },
    extensions: './index.js',
  }
  await writeFile(join(folder, 'cms.yaml'), JSON.stringify(config))
  cms = await createCms(join(folder, 'cms.yaml'), {
    env: { JWT_SECRET: 'x' },
    log: (line) => logged.push(JSON.stringify(line)),
  })
  return (globalThis as unknown as { toldByCode: unknown }).toldByCode
}

test('values outlive a restart, and the same key has one value', async () => {
  const database = { client: 'sqlite', filename: '.data/cms.db' }
  const FIRST_RUN = `const store = strapi.store({ environment: strapi.config.environment, type: 'type', name: 'setup' })
    const ran = await store.get({ key: 'initHasRun' })
    await store.set({ key: 'initHasRun', value: true })
    return ran`
  expect(await start(FIRST_RUN, database)).toBe(null)
  await cms?.close()
  expect(await start(FIRST_RUN, database)).toBe(true)
  await cms?.close()
  const told = await start(
    `const given = { type: 'type', name: 'setup', key: 'initHasRun' }
    const before = await strapi.store.get(given)
    await strapi.store.set({ ...given, value: { at: [1, null] } })
    const after = await strapi.store(given).get()
    await strapi.store(given).delete()
    return [before, after, await strapi.store.get(given), await strapi.store.get({ key: 'other' })]`,
    database,
  )
  expect(told).toEqual([true, { at: [1, null] }, null, null])
})

test('values are bounded', async () => {
  const told =
    await start(`const fail = (given) => strapi.store.set(given).then(() => 'set', ({ message }) => message)
    return [await fail({ value: 1 }), await fail({ key: 'k'.repeat(300), value: 1 }), await fail({ key: 'k', value: 'v'.repeat(1e6) }), await fail({ key: 'k' })]`)
  expect(told).toEqual([
    'strapi.store needs a "key", a text',
    'strapi.store takes keys of up to 255 characters',
    'strapi.store takes values of up to 1000000 characters of JSON',
    'strapi.store takes values of up to 1000000 characters of JSON',
  ])
})

test('settings of users are those of the file', async () => {
  const told =
    await start(`const store = strapi.store({ type: 'plugin', name: 'users-permissions', key: 'advanced' })
    const advanced = await store.get()
    await store.set({ value: { ...advanced, unique_email: true } })
    await store.set({ value: { ...advanced, allow_register: true } })
    return [advanced.allow_register, advanced.default_role, (await store.get()).allow_register]`)
  expect(told).toEqual([false, 'authenticated', false])
  const warned = logged.filter((line) => line.includes('strapi.store'))
  expect(warned).toHaveLength(1)
  expect(warned[0]).toContain('code sets allow_register of users')
})

test('permissions are read, and one that code grants is not granted but named', async () => {
  const told =
    await start(`const role = await strapi.query('plugin::users-permissions.role').findOne({ where: { type: 'public' } })
    const query = strapi.db.query('plugin::users-permissions.permission')
    const known = await query.findOne({ where: { role: role.id, action: 'api::note.note.find' } })
    await query.create({ data: { action: 'api::note.note.find', role: role.id } })
    await query.create({ data: { action: 'api::note.note.delete', role: role.id } })
    await query.deleteMany({ where: { action: { $in: ['api::note.note.find', 'api::note.note.gone'] } } })
    return [
      known.action,
      await query.count({ where: { role: { type: 'editor' } } }),
      (await query.findMany({ where: { role } })).map((one) => one.action).filter((one) => one.startsWith('api::')),
      await query.findMany({ where: { name: 'x' } }).catch(({ message }) => message),
    ]`)
  expect(told).toEqual([
    'api::note.note.find',
    1,
    ['api::note.note.find'],
    'permissions are found by "id", "action" and "role", not by "name"',
  ])
  const grants = logged.filter((line) => line.includes('code grants'))
  expect(grants).toHaveLength(1)
  expect(grants[0]).toContain('code grants api::note.note.delete, which has no effect')
  expect(grants[0]).toContain('under auth.roles.public.permissions')
  expect(logged.filter((line) => line.includes('code changes 1 permissions'))).toHaveLength(1)
  expect((await cms?.fetch('/api/notes/1', { method: 'DELETE' }))?.status).toBe(403)
  expect((await cms?.fetch('/api/notes'))?.status).toBe(200)
})

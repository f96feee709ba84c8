// Documents that several requests change at the same moment, over each server.

import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { serversHere } from '../support/servers.ts'
import { openTestDatabase } from '../support/test-database.ts'

const DOCUMENTS = 20

test.each(await serversHere())(
  'what is published is complete and unique, whatever happens to its draft meanwhile: %s',
  async (client) => {
    const { options, drop } = await openTestDatabase(client)
    const config = {
      dialect: 'strapi-5',
      contentTypes: {
        article: { drafts: true, attributes: { title: 'string!', code: { type: 'string', unique: true } } },
      },
      public: ['article.*', 'article.publish'],
    }
    const cms = await createCms(config as never, { env: {}, ...options })
    const ask = async (method: string, path: string, data?: unknown) => {
      const body = data === undefined ? {} : { body: JSON.stringify({ data }) }
      const response = await cms.fetch(`/api/articles${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...body,
      })
      const { data: answered } = (await response.json()) as { data: Record<string, unknown> }
      return { status: response.status, data: answered as unknown }
    }
    const draft = async (data: object) =>
      String(((await ask('POST', '?status=draft', data)).data as Record<string, unknown>)['documentId'])

    const ids: string[] = []
    for (let index = 0; index < DOCUMENTS; index += 1) ids.push(await draft({ title: `Title ${index}` }))
    const answers = await Promise.all(
      ids.flatMap((id) => [
        ask('POST', `/${id}/actions/publish`),
        ask('PUT', `/${id}?status=draft`, { title: null }),
      ]),
    )
    const published = (await ask('GET', '?pagination[pageSize]=100')).data as { title: string | null }[]
    expect(published.filter(({ title }) => title === null)).toEqual([])
    expect(answers.filter(({ status }) => status !== 200 && status !== 400)).toEqual([])
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(DOCUMENTS - published.length)

    const same: string[] = []
    for (let index = 0; index < 5; index += 1) same.push(await draft({ title: 'Same', code: 'same' }))
    const statuses = (await Promise.all(same.map((id) => ask('POST', `/${id}/actions/publish`)))).map(
      ({ status }) => status,
    )
    expect(statuses.sort()).toEqual([200, 400, 400, 400, 400])
    await cms.close()
    await drop()
  },
)

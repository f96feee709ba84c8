// Names in payloads that are no attributes: refused for whoever writes, but for code that adds them to the payload of
// another; `rest.strict: false` ignores them.

import { afterEach, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

const opened: Cms[] = []

afterEach(async () => {
  for (const cms of opened.splice(0)) await cms.close()
})

async function open(changes: object = {}): Promise<Cms> {
  const cms = await createCms(
    {
      contentTypes: {
        page: {
          attributes: { title: 'string', zone: { type: 'dynamiczone', components: ['part.box'] } },
        },
      },
      components: { 'part.box': { attributes: { label: 'string' } } },
      plugins: { graphql: true },
      auth: { roles: { public: { permissions: ['page.*'] } } },
      ...changes,
    } as never,
    {
      env: {},
      lifecycles: {
        'api::page.page': {
          beforeCreate({ params }) {
            params.data['checked'] = true
          },
        },
      },
    },
  )
  opened.push(cms)
  return cms
}

async function post(cms: Cms, path: string, body: object): Promise<unknown> {
  const response = await cms.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.json()
}

const zoneOf = (dialect: string) => ({
  query: `mutation ($zone: [PageZoneDynamicZoneInput!]!) { createPage(data: { zone: $zone }) { ${
    dialect === 'strapi-5' ? 'documentId' : 'data { id }'
  } } }`,
  variables: { zone: [{ __component: 'part.box', __typename: 'ComponentPartBox', lable: 'x' }] },
})
const unknownLabel = 'Unknown attribute zone[0].lable, did you mean label?'

test.each(['strapi-4', 'strapi-5'])(
  '%s: they are refused in code and in JSON of GraphQL',
  async (dialect) => {
    const cms = await open({ dialect })
    const pages = cms.entries('page')
    await expect(pages.create({ titel: 'x' })).rejects.toThrow('Unknown attribute titel, did you mean title?')
    const { id } = await pages.create({ title: 'x' })
    await expect(
      pages.update(Number(id), { zone: [{ __component: 'part.box', lable: 'x' }] }),
    ).rejects.toThrow(unknownLabel)
    expect(await post(cms, '/graphql', zoneOf(dialect))).toMatchObject({
      errors: [{ message: unknownLabel }],
    })
  },
)

test.each(['strapi-4', 'strapi-5'])('%s: with rest.strict: false they are ignored', async (dialect) => {
  const cms = await open({ dialect, rest: { strict: false } })
  expect(await cms.entries('page').create({ title: 'x', titel: 'y' })).toMatchObject({ title: 'x' })
  expect(await post(cms, '/graphql', zoneOf(dialect))).not.toHaveProperty('errors')
})

test('strapi-5: the explanation of a refused key names the nearest one', async () => {
  const cms = await open({ dialect: 'strapi-5' })
  expect(await post(cms, '/api/pages', { data: { titel: 'x' } })).toEqual({
    data: null,
    error: {
      status: 400,
      name: 'ValidationError',
      message: 'Invalid key titel',
      details: {
        key: 'titel',
        path: null,
        source: 'body',
        explain: { message: 'api::page.page has no attribute "titel"; did you mean "title"?' },
      },
    },
  })
  const query = await (await cms.fetch('/api/pages?filters[titel]=x')).json()
  expect(query).toMatchObject({
    error: {
      details: { explain: { message: 'api::page.page has no attribute "titel"; did you mean "title"?' } },
    },
  })
})

// `populate: true` inside of a populated field, as qs writes it: Strapi 5.0 to 5.49 populate nothing by it.

import { expect, test } from 'vitest'
import { openForTests } from '../support/open-for-tests.ts'

const cms = openForTests({
  dialect: 'strapi-5',
  components: {
    'blocks.hero': {
      attributes: { title: 'string', link: { type: 'component', component: 'blocks.link' } },
    },
    'blocks.link': { attributes: { url: 'string' } },
  },
  contentTypes: {
    page: {
      options: { draftAndPublish: false },
      attributes: {
        blocks: { type: 'dynamiczone', components: ['blocks.hero'] },
        hero: { type: 'component', component: 'blocks.hero' },
      },
    },
  },
  auth: { roles: { public: { permissions: ['page.find'] } } },
  data: {
    page: [
      {
        blocks: [{ __component: 'blocks.hero', title: 'In a zone', link: { url: '/zone' } }],
        hero: { title: 'Alone', link: { url: '/alone' } },
      },
    ],
  },
})

async function ask(query: string): Promise<{ status: number; text: string }> {
  const response = await (await cms()).fetch(`/api/pages?${query}`)
  return { status: response.status, text: await response.text() }
}

test.each(['true', 't', '1', 'false', 'f', '0'])('%s below on and below a component', async (boolean) => {
  const zone = await ask(`populate[blocks][on][blocks.hero][populate]=${boolean}`)
  expect(zone).toMatchObject({ status: 200, text: expect.stringContaining('In a zone') })
  expect(zone.text).not.toContain('/zone')
  const component = await ask(`populate[hero][populate]=${boolean}&populate[hero][fields]=title`)
  expect(component).toMatchObject({ status: 200, text: expect.stringContaining('Alone') })
  expect(component.text).not.toContain('/alone')
})

test('other names stay refused, as does a boolean at the top', async () => {
  expect(await ask('populate[hero][populate]=yes')).toMatchObject({ status: 400 })
  expect(await ask('populate[blocks][on][blocks.hero][populate]=yes')).toMatchObject({ status: 400 })
  expect(await ask('populate=true')).toMatchObject({ status: 400 })
  expect((await ask('populate[hero][populate]=*')).text).toContain('/alone')
})

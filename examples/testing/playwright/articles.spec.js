import { expect, test } from './with-cms.js'

test('shows the articles, most read first', async ({ page, server }) => {
  await page.goto(server.page)
  await expect(page.getByRole('listitem')).toHaveText(['Hello', 'World'])
})

for (const number of [1, 2, 3]) {
  test(`shows what is new: ${number}`, async ({ page, server, cms }) => {
    await cms.entries('article').create({ title: `New ${number}`, views: 100 })
    await page.goto(server.page)
    await expect(page.getByRole('listitem')).toHaveText([`New ${number}`, 'Hello', 'World'])
  })
}

// For each worker one API and one server of the front end, on ports of their own; the content is restored after each test.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { test as base } from '@playwright/test'
import { createCms } from 'cms-run'

export { expect } from '@playwright/test'

const html = readFileSync(new URL('./page.html', import.meta.url))

export const test = base.extend({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are used from the pattern.
    async ({}, use) => {
      const cms = await createCms('cms.yaml', { env: {}, testing: true })
      const { url } = await cms.listen(0)
      const front = createServer((_request, response) =>
        response.setHeader('content-type', 'text/html').end(html),
      )
      await new Promise((resolve) => front.listen(0, '127.0.0.1', resolve))
      const page = `http://127.0.0.1:${front.address().port}/?api=${encodeURIComponent(url)}`
      await use({ cms, page, start: cms.snapshot() })
      front.closeAllConnections()
      front.close()
      await cms.close()
    },
    { scope: 'worker' },
  ],
  cms: async ({ server }, use) => {
    await use(server.cms)
    server.cms.restore(server.start)
  },
})

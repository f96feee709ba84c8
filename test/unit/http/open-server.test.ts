import { expect, test } from 'vitest'
import { openServer } from '../../../src/http/open-server.ts'
import { testUws } from '../../../src/http/uws/uws-self-test.ts'
import { transportsHere } from '../../support/transports.ts'

const options = {
  handler: () => ({ status: 200, body: 'x' }),
  limits: { body: 10, upload: 10, bodies: 10, url: 100, requestTimeout: 1000, keepAlive: 1000 },
  onFault: () => {},
}

test('takes the transport that is asked for', async () => {
  for (const transport of transportsHere)
    expect((await openServer({ ...options, transport })).name).toBe(transport)
})

test('takes uWebSockets.js exactly when it passes its self-test, and says why when not', async () => {
  const reasons: string[] = []
  const server = await openServer({ ...options, onFallback: (reason) => reasons.push(reason) })
  const failure = await testUws()
  expect([server.name, reasons]).toEqual(failure === undefined ? ['uws', []] : ['node', [failure]])
  // Who reads the log has no use for the folders of packages.
  expect(failure ?? '').not.toMatch(/node_modules|\//)
})

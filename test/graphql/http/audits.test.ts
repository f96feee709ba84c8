// The audits of the GraphQL over HTTP specification, over real sockets: all of them, those that it only recommends too.

import { serverAudits } from 'graphql-http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../../src/index.ts'
import { transportsHere } from '../../support/transports.ts'

describe.each(transportsHere)('over %s', (transport) => {
  let cms: Cms
  let url = ''

  beforeAll(async () => {
    cms = await createCms(
      { contentTypes: { note: { attributes: { text: 'string' } } }, plugins: { graphql: true } },
      { env: {}, transport },
    )
    const { port } = await cms.listen(0, '127.0.0.1')
    url = `http://127.0.0.1:${port}/graphql`
  })
  afterAll(() => cms.close())

  const audits = serverAudits({ url: () => url })

  test('there are as many as were read', () => {
    expect(audits).toHaveLength(61)
  })

  test.each(audits.map((audit) => [audit.id, audit.name, audit] as const))(
    '%s %s',
    async (_id, _name, audit) => {
      const result = await audit.fn()
      expect(result.status === 'ok' ? undefined : result.reason).toBeUndefined()
    },
  )
})

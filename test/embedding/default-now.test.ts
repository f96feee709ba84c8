// `default: now` is the moment at which an entry, or a component in it, is made.

import { afterEach, expect, test, vi } from 'vitest'
import { createCms } from '../../src/index.ts'

afterEach(() => void vi.useRealTimers())

const config = {
  contentTypes: {
    visit: {
      note: 'text',
      at: { type: 'datetime', default: 'now', readOnly: true },
      day: { type: 'date', default: 'now' },
      hour: { type: 'time', default: 'now' },
      since: { type: 'timestamp', default: 'now' },
      word: { type: 'string', default: 'now' },
      stops: [{ place: 'string', at: { type: 'datetime', default: 'now' } }],
    },
  },
}

test('of values that a payload leaves out, in UTC, and not again when the entry changes', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime('2026-03-01T23:59:58.007+00:00')
  const cms = await createCms(config, { env: {} })
  const visits = cms.entries('visit')
  const created = await visits.create({ stops: [{ place: 'quay' }], day: '2020-01-01' })
  expect(created).toMatchObject({
    at: '2026-03-01T23:59:58.007Z',
    day: '2020-01-01',
    hour: '23:59:58.007',
    since: '2026-03-01T23:59:58.007Z',
    word: 'now',
  })
  vi.setSystemTime('2026-03-02T00:00:00.000+00:00')
  const id = Number(created['id'])
  expect(await visits.update(id, { note: 'again' })).toMatchObject({
    at: created['at'],
    hour: created['hour'],
  })
  expect(await visits.create({})).toMatchObject({ day: '2026-03-02', hour: '00:00:00.000' })
  const [first] = await visits.findMany({ populate: '*', sort: 'id' })
  expect(first).toMatchObject({ stops: [{ place: 'quay', at: '2026-03-01T23:59:58.007Z' }] })
  await cms.close()
})

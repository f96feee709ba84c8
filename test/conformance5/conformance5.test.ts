// What Strapi 5.54.0 answered, every case over the in-process fetch and some areas over a real socket (README.md).

import { expect, test } from 'vitest'
import { describeAreas } from '../conformance/describe-corpus.ts'
import { strapi5 } from './strapi-5.ts'

/** What a socket could change: heads, bodies and files. */
const OVER_SOCKET = ['http', 'query-string', 'client', 'graphql-protocol']

describeAreas(strapi5, process.env['LONG'] === undefined ? OVER_SOCKET : Object.keys(strapi5.areas))

test('every ruling has a reason and cannot excuse a failure of ours', () => {
  for (const [key, { reason, statuses }] of Object.entries(strapi5.rulings)) {
    expect(reason.length, key).toBeGreaterThan(10)
    for (const status of statuses) expect(status, key).not.toBe(500)
  }
})

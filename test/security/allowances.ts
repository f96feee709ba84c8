// Attacks that we answer otherwise than expected, and why that is as safe.

export interface Allowance {
  readonly statuses: readonly number[]
  readonly reason: string
}

const compared = 'an id is compared as a number, as recorded for Strapi 4: 1e0, 1.0, 01 and +1 are 1'
const unseen = 'a relation to entries that the caller may not find is a 403 that names it; nothing is stored'
const closed = 'this build of uWebSockets.js closes the connection on methods it does not know'

export const allowances: ReadonlyMap<string, Allowance> = new Map([
  [
    'sort-bad-010',
    { statuses: [200], reason: 'what follows the order is ignored, as recorded for Strapi 4' },
  ],
  ...['sqli-040', 'route-id-009', 'route-id-010', 'route-id-011'].map(allow([200], compared)),
  ...['011', '012', '013', '014', '015', '016', '017']
    .map((n) => `massassign-${n}`)
    .map(allow([403], unseen)),
  ...['003', '005', '006', '008', '009'].map((n) => `method-${n}`).map(allow([0], closed)),
  ['jwt-026', { statuses: [403], reason: 'recorded without its token: the public may not read it' }],
  ['jwt-039', { statuses: [200], reason: 'this configuration does not ask for confirmation' }],
  ['reset-024', { statuses: [403], reason: 'nobody was given the permission to connect' }],
  [
    'raw-013',
    { statuses: [403], reason: 'this build hands the length on as 2, and two bytes are what it reads' },
  ],
  ['raw-058', { statuses: [200], reason: 'this build skips a header without a name' }],
])

function allow(statuses: readonly number[], reason: string): (id: string) => [string, Allowance] {
  return (id) => [id, { statuses, reason }]
}

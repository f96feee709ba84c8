import { describe, expect, test } from 'vitest'
import { createClientAddress, type TrustProxy } from '../../../src/http/client-address.ts'

const ROWS: readonly (readonly [
  name: string,
  trust: TrustProxy,
  peer: string,
  forwarded: string | undefined,
  expected: string,
])[] = [
  ['nobody is trusted', false, '10.0.0.1', '1.2.3.4', '10.0.0.1'],
  ['nothing is forwarded', 1, '10.0.0.1', undefined, '10.0.0.1'],
  ['one proxy', 1, '10.0.0.1', '1.2.3.4', '1.2.3.4'],
  ['one proxy, a forged entry before', 1, '10.0.0.1', '6.6.6.6, 1.2.3.4', '1.2.3.4'],
  ['two proxies', 2, '10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.2', '1.2.3.4'],
  ['more proxies than entries', 5, '10.0.0.1', '1.2.3.4', '1.2.3.4'],
  ['a range', ['10.0.0.0/8'], '10.0.0.1', '6.6.6.6, 1.2.3.4, 10.9.9.9', '1.2.3.4'],
  ['a peer outside of the range', ['10.0.0.0/8'], '11.0.0.1', '1.2.3.4', '11.0.0.1'],
  ['one address', ['10.0.0.1'], '10.0.0.1', '1.2.3.4', '1.2.3.4'],
  ['garbage is not an address', 1, '10.0.0.1', 'unknown', '10.0.0.1'],
  ['garbage behind a good entry', 2, '10.0.0.1', '<b>, 1.2.3.4', '1.2.3.4'],
  ['IPv6', ['fd00::/8'], 'fd00::1', '2001:db8::7', '2001:db8::7'],
  ['IPv4 in IPv6', false, '::ffff:127.0.0.1', undefined, '127.0.0.1'],
  ['IPv4 in IPv6, written out', false, '0000:0000:0000:0000:0000:ffff:7f00:0001', undefined, '127.0.0.1'],
  ['IPv6, written out', false, '0000:0000:0000:0000:0000:0000:0000:0001', undefined, '::1'],
]

describe('createClientAddress', () => {
  for (const [name, trust, peer, forwarded, expected] of ROWS) {
    test(name, () => expect(createClientAddress(trust)(peer, forwarded)).toBe(expected))
  }
})

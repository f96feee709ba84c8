// Finds the client's address from the peer's address and `x-forwarded-for`, as far as the proxies are
// trusted.

import { BlockList, isIP } from 'node:net'

export type TrustProxy = false | number | readonly string[] | undefined

export type ClientAddress = (peer: string, forwardedFor: string | undefined) => string

/** Reads `x-forwarded-for` from the right: an address counts when every address to its right is trusted. */
export function createClientAddress(trust: TrustProxy): ClientAddress {
  if (trust === undefined || trust === false || trust === 0) return (peer) => plainAddress(peer)
  const trusts = typeof trust === 'number' ? (_address: string, hop: number) => hop < trust : inRanges(trust)
  return (peer, forwardedFor) => {
    let client = plainAddress(peer)
    if (forwardedFor === undefined) return client
    const hops = forwardedFor.split(',').reverse()
    for (const [index, hop] of hops.entries()) {
      const address = plainAddress(hop.trim())
      if (!trusts(client, index) || isIP(address) === 0) return client
      client = address
    }
    return client
  }
}

function inRanges(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

const MAPPED = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/

/** Gives each address one spelling on every transport: IPv6 in short form, IPv4-mapped IPv6 as plain IPv4. */
function plainAddress(address: string): string {
  if (isIP(address) !== 6) return address
  const short = address.includes('%') ? address : new URL(`http://[${address}]/`).hostname.slice(1, -1)
  const match = MAPPED.exec(short)
  if (!match) return short
  if (match[1] !== undefined) return match[1]
  const [high, low] = [match[2], match[3]].map((word) => Number.parseInt(word ?? '', 16))
  return [high, low].flatMap((word = 0) => [word >> 8, word & 255]).join('.')
}

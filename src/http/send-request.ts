// Sends a request to a configured address and returns only the status. Private addresses are refused when
// connecting, since a name may resolve differently later.

import { type LookupAddress, type LookupAllOptions, lookup as lookUp } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { clearTimeout, setTimeout } from 'node:timers'
import { traceOutgoing } from '../lib/traced.ts'

interface OutgoingRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Milliseconds for the whole exchange. */
  readonly timeout: number
  readonly mayBePrivate: boolean
  readonly signal?: AbortSignal
}

/** Further bytes close the connection. */
const MAX_RESPONSE_BYTES = 65_536

/**
 * RFC 6890 and RFC 4193. Includes IPv6 addresses that carry an IPv4 address (6to4, Teredo, NAT64,
 * IPv4-compatible), which a gateway may unwrap to a private one; BlockList itself compares IPv4-mapped
 * addresses with the IPv4 list.
 */
const inside = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  inside.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  inside.addSubnet(network, prefix, 'ipv6')

/** Covers this machine, and IPv4 within IPv6. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && inside.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

function refusal(host: string, address: string): Error {
  return new Error(`${host} leads to ${address}, an address of a private network`)
}

export type Resolve = (
  host: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** The connection uses the addresses that are checked here: the name is not looked up again. */
function publicLookup(resolve: Resolve): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0)
      const hidden = addresses.find(({ address }) => isPrivateAddress(address))
      if (hidden !== undefined) return callback(refusal(host, hidden.address), '', 0)
      const [first] = addresses
      if (options.all === true) return callback(null, addresses)
      callback(null, first?.address ?? '', first?.family ?? 0)
    })
  }
}

/** Redirects are not followed. Rejects after the timeout. */
export function sendRequest(outgoing: OutgoingRequest, resolve: Resolve = lookUp): Promise<number> {
  const { url, headers, mayBePrivate } = outgoing
  const target = new URL(url)
  const host = target.hostname.replace(/^\[|\]$/g, '')
  if (!mayBePrivate && isPrivateAddress(host)) return Promise.reject(refusal(host, host))
  return traceOutgoing(`POST ${host}`, (traceHeaders) =>
    post(target, { ...outgoing, headers: { ...traceHeaders, ...headers } }, publicLookup(resolve)),
  )
}

function post(target: URL, outgoing: OutgoingRequest, lookup: LookupFunction): Promise<number> {
  const { headers, body, timeout, mayBePrivate, signal } = outgoing
  const send = target.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const sent = send(target, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      agent: false,
      ...(mayBePrivate ? {} : { lookup }),
      ...(signal === undefined ? {} : { signal }),
    })
    const timer = setTimeout(() => sent.destroy(new Error(`no response within ${timeout} ms`)), timeout)
    sent.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    sent.once('response', (response) => {
      let read = 0
      response.on('data', (piece: Buffer) => {
        read += piece.length
        if (read > MAX_RESPONSE_BYTES) response.destroy()
      })
      response.on('error', () => {})
      response.once('close', () => {
        clearTimeout(timer)
        resolve(response.statusCode ?? 0)
      })
    })
    sent.end(body)
  })
}

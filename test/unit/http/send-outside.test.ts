// Requests to addresses that the configuration names: which addresses are refused, by number and by name.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { isPrivateAddress, type Resolve, sendRequest } from '../../../src/http/send-request.ts'

test.each([
  ['0.0.0.0', 'this machine'],
  ['127.0.0.1', 'this machine'],
  ['10.1.2.3', 'a private network'],
  ['172.31.255.255', 'a private network'],
  ['192.168.0.1', 'a private network'],
  ['100.64.0.1', 'shared'],
  ['169.254.169.254', 'a link'],
  ['::', 'this machine'],
  ['::1', 'this machine'],
  ['fd00::1', 'a private network'],
  ['fe80::1', 'a link'],
  ['fec0::1', 'site-local'],
  ['feff::1', 'site-local'],
  ['::ffff:127.0.0.1', 'IPv4-mapped'],
  ['::ffff:a01:203', 'IPv4-mapped'],
  ['::127.0.0.1', 'IPv4-compatible'],
  ['::a01:203', 'IPv4-compatible'],
  ['2002:7f00:1::', '6to4'],
  ['2002:a01:203::1', '6to4'],
  ['2001:0:4136:e378:8000:63bf:f5fe:fdfc', 'Teredo'],
  ['64:ff9b::127.0.0.1', 'NAT64'],
  ['64:ff9b:1::7f00:1', 'NAT64 of a local prefix'],
  ['64:ff9b:1:ffff::1', 'NAT64 of a local prefix'],
])('%s is an address inside: %s', (address) => expect(isPrivateAddress(address)).toBe(true))

test.each([
  '1.1.1.1',
  '93.184.216.34',
  '172.32.0.1',
  '::ffff:1.1.1.1',
  '2606:4700::1111',
  '2001:4860:4860::8888',
  '2003::1',
  '64:ff9b:2::1',
  'example.com',
])('%s is none', (address) => expect(isPrivateAddress(address)).toBe(false))

describe('a request', () => {
  const open: Server[] = []
  afterEach(() => {
    for (const server of open.splice(0)) server.close()
  })

  async function receiver(): Promise<{ readonly url: string; readonly paths: (string | undefined)[] }> {
    const paths: (string | undefined)[] = []
    const server = createServer((request, response) => {
      paths.push(request.url)
      const moved = request.url === '/moved'
      response.writeHead(moved ? 307 : 200, moved ? { location: '/secret' } : {}).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    open.push(server)
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths }
  }

  const rest = { headers: {}, body: '{}', timeout: 20_000 }

  test('to an address inside is refused, by number and by the name that leads there', async () => {
    const { url, paths } = await receiver()
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '[::127.0.0.1]', '2130706433']) {
      const named = url.replace('127.0.0.1', host)
      await expect(sendRequest({ url: named, mayBePrivate: false, ...rest })).rejects.toThrow(
        'private network',
      )
    }
    expect(paths).toEqual([])
    expect(await sendRequest({ url, mayBePrivate: true, ...rest })).toBe(200)
    expect(paths).toEqual(['/'])
  })

  test('does not follow a redirect', async () => {
    const { url, paths } = await receiver()
    expect(await sendRequest({ url: `${url}/moved`, mayBePrivate: true, ...rest })).toBe(307)
    expect(paths).toEqual(['/moved'])
  })

  test('goes to the address that was checked, also where the name leads inside when it is asked again', async () => {
    const { url, paths } = await receiver()
    const hook = { ...rest, url: url.replace('127.0.0.1', 'rebinding.example'), mayBePrivate: false }
    let asked = 0
    const resolve: Resolve = (_host, _options, callback) => {
      asked += 1
      // An address for documentation (RFC 5737), where nobody answers.
      callback(null, [{ address: asked === 1 ? '192.0.2.1' : '127.0.0.1', family: 4 }])
    }
    await expect(sendRequest({ ...hook, timeout: 200 }, resolve)).rejects.toThrow(
      /no response within|192\.0\.2\.1/,
    )
    expect(asked).toBe(1)
    await expect(sendRequest(hook, resolve)).rejects.toThrow(
      'rebinding.example leads to 127.0.0.1, an address of a private network',
    )
    expect([asked, paths]).toEqual([2, []])
  })

  test('to a name with one address inside among others is refused', async () => {
    const { url, paths } = await receiver()
    const resolve: Resolve = (_host, _options, callback) =>
      callback(null, [
        { address: '192.0.2.1', family: 4 },
        { address: '2002:7f00:1::', family: 6 },
      ])
    await expect(
      sendRequest({ ...rest, url: url.replace('127.0.0.1', 'two.example'), mayBePrivate: false }, resolve),
    ).rejects.toThrow('two.example leads to 2002:7f00:1::')
    expect(paths).toEqual([])
  })
})

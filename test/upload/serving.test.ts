// `GET /uploads/…`: ranges and validators, nothing but files, and nothing that a browser runs; over both transports.

import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transportsHere } from '../support/transports.ts'
import { type Library, openLibrary, type Part, png, post, text } from './open-library.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="20"><script>alert(1)</script></svg>'

describe.each(transportsHere)('over %s', (transport) => {
  let library: Library
  let base: string
  let url: string
  let etag: string

  beforeAll(async () => {
    library = await openLibrary({}, { options: { transport } })
    base = (await library.cms.listen(0, '127.0.0.1')).url
    url = base + (await upload(text('note.txt', '0123456789')))
    etag = (await fetch(url)).headers.get('etag') ?? ''
  })
  afterAll(() => library.close())

  async function upload(part: Part): Promise<string> {
    const { body } = await post(library.cms, '/api/upload', part)
    return String((body as unknown as { url: string }[])[0]?.url)
  }

  test.each<readonly [string, Record<string, string>, number, string, string | null]>([
    ['the whole', {}, 200, '0123456789', null],
    ['the first five', { range: 'bytes=0-4' }, 206, '01234', 'bytes 0-4/10'],
    ['from the middle on', { range: 'bytes=7-' }, 206, '789', 'bytes 7-9/10'],
    ['the last two', { range: 'bytes=-2' }, 206, '89', 'bytes 8-9/10'],
    ['more of the end than there is', { range: 'bytes=-99' }, 206, '0123456789', 'bytes 0-9/10'],
    ['beyond the end', { range: 'bytes=5-99' }, 206, '56789', 'bytes 5-9/10'],
    ['nothing of the end', { range: 'bytes=-0' }, 416, '', 'bytes */10'],
    ['behind the end', { range: 'bytes=10-' }, 416, '', 'bytes */10'],
    ['a list is not looked at', { range: 'bytes=0-0,2-2' }, 200, '0123456789', null],
    ['an end before the start', { range: 'bytes=5-1' }, 200, '0123456789', null],
    ['another unit', { range: 'items=0-1' }, 200, '0123456789', null],
    ['numbers without end', { range: `bytes=${'9'.repeat(40)}-` }, 200, '0123456789', null],
    ['a range of another version', { range: 'bytes=0-4', 'if-range': '"other"' }, 200, '0123456789', null],
  ])('%s', async (_name, headers, status, body, range) => {
    const response = await fetch(url, { headers })
    expect(response.status).toBe(status)
    expect(response.headers.get('content-range')).toBe(range)
    if (status < 300) expect(await response.text()).toBe(body)
  })

  test('what fetch of the same process sent as one piece of 20 MB', async () => {
    const whole = new Uint8Array(20_000_000).fill(97)
    const path = await upload({ name: 'files', file: { name: 'large.txt', bytes: whole } })
    const response = await fetch(base + path)
    expect(response.headers.get('content-length')).toBe('20000000')
    expect(Buffer.from(await response.arrayBuffer()).equals(whole)).toBe(true)
  })

  test('what has not changed is not sent again', async () => {
    const modified = (await fetch(url)).headers.get('last-modified') ?? ''
    for (const headers of [
      { 'if-none-match': etag },
      { 'if-none-match': `"x", W/${etag}` },
      { 'if-none-match': '*' },
      { 'if-modified-since': modified },
    ]) {
      const response = await fetch(url, { headers })
      expect([response.status, await response.text()]).toEqual([304, ''])
    }
    expect(
      (await fetch(url, { headers: { 'if-none-match': '"x"', 'if-modified-since': modified } })).status,
    ).toBe(200)
    expect((await fetch(url, { headers: { range: 'bytes=0-4', 'if-range': etag } })).status).toBe(206)
  })

  test('HEAD says what GET would', async () => {
    const response = await fetch(url, { method: 'HEAD' })
    expect(response.headers.get('content-length')).toBe('10')
    expect(response.headers.get('accept-ranges')).toBe('bytes')
    expect(await response.text()).toBe('')
  })

  test.each<readonly [string, Part, string, string | null]>([
    ['text', text(), 'text/plain; charset=utf-8', null],
    ['an image', png(), 'image/png', null],
    ['an SVG', file('a.svg', 'image/svg+xml', SVG), 'image/svg+xml', 'attachment'],
    [
      'HTML',
      file('a.html', 'text/html', '<script>alert(1)</script>'),
      'application/octet-stream',
      'attachment',
    ],
    ['a script', file('a.js', 'text/javascript', 'alert(1)'), 'application/octet-stream', 'attachment'],
    ['XML', file('a.xml', 'application/xml', '<a/>'), 'application/octet-stream', 'attachment'],
    ['PHP', file('a.php', 'application/x-php', '<?php'), 'application/octet-stream', 'attachment'],
    ['no ending', file('README', 'application/x-none', 'x'), 'application/octet-stream', 'attachment'],
  ])('%s runs nothing', async (_name, part, type, disposition) => {
    const response = await fetch(base + (await upload(part)))
    await response.arrayBuffer()
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'; sandbox")
    expect(response.headers.get('content-disposition')).toBe(disposition)
  })

  test.each([
    '/uploads',
    '/uploads/',
    '/uploads/nope.png',
    '/uploads/.incoming',
    '/uploads/%2e%2e%2fsecret.txt',
    '/uploads/..%2fsecret.txt',
    '/uploads/%2e%2e',
    '/uploads/link.txt',
    '/uploads/folder',
    '/uploads/a%00.txt',
    `/uploads/${'a'.repeat(300)}`,
  ])('%s is not found', async (path) => {
    await writeFile(join(library.directory, '..', 'secret.txt'), 'secret')
    await symlink('/etc/passwd', join(library.directory, 'link.txt')).catch(() => undefined)
    const response = await fetch(base + path)
    expect([response.status, (await response.text()).includes('secret')]).toEqual([404, false])
  })

  test('files are only read here', async () => {
    for (const method of ['PUT', 'POST', 'DELETE']) expect((await fetch(url, { method })).status).toBe(405)
  })
})

function file(name: string, type: string, bytes: string): Part {
  return { name: 'files', file: { name, type, bytes } }
}

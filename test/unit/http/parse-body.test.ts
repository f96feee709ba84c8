import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ParsedBody, parseBody } from '../../../src/http/body/parse-body.ts'
import type { HttpRequest } from '../../../src/http/request.ts'

async function parse(
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>>,
): Promise<ParsedBody> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const request: HttpRequest = {
    method: 'POST',
    path: '/',
    query: '',
    header: (name) => headers[name],
    headerNames: () => Object.keys(headers),
    holdResponse() {},
    address: '',
    id: '',
    signal: new AbortController().signal,
    body: {
      present: true,
      memoryLimit: bytes.length,
      tryHold: () => true,
      hold() {},
      arrived: () => undefined,
      bytes: async () => bytes,
      async *chunks() {
        yield bytes
      },
    },
  }
  return parseBody(request)
}

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

describe('by content-type', () => {
  for (const [type, body, expected] of [
    ['application/json', '{"a":1}', { kind: 'value', value: { a: 1 } }],
    ['Application/JSON; charset="UTF-8"', '{"a":1}', { kind: 'value', value: { a: 1 } }],
    ['application/json;charset=utf8', '[]', { kind: 'value', value: [] }],
    ['application/vnd.api+json', '{}', { kind: 'value', value: {} }],
    ['application/json', '', { kind: 'none' }],
    ['application/x-www-form-urlencoded', 'a[b]=1&c=2', { kind: 'value', value: { a: { b: '1' }, c: '2' } }],
    ['multipart/form-data; boundary=abc', 'x', { kind: 'multipart', boundary: 'abc' }],
    ['multipart/form-data; boundary="a b"', 'x', { kind: 'multipart', boundary: 'a b' }],
    ['multipart/form-data; boundary="a;b=\\c"; x="\\""', 'x', { kind: 'multipart', boundary: 'a;b=c' }],
    [
      'multipart/form-data; a; =b; boundary=----=_Part_1.2',
      'x',
      { kind: 'multipart', boundary: '----=_Part_1.2' },
    ],
    ['MULTIPART/form-data ;BOUNDARY=a', 'x', { kind: 'multipart', boundary: 'a' }],
    ['application/json; charset', '{}', { kind: 'value', value: {} }],
    ['application/json; charset="utf-8', '{}', { kind: 'value', value: {} }],
    ['text/plain', '{"a":1}', { kind: 'none', unread: 'text/plain' }],
    ['application/xml', '<a/>', { kind: 'none', unread: 'application/xml' }],
    ['application/jsonx', '{}', { kind: 'none', unread: 'application/jsonx' }],
    ['json', '{}', { kind: 'none', unread: 'json' }],
    ['application/json\u00a0', '{}', { kind: 'none', unread: 'application/json\u00a0' }],
    ['', '{}', { kind: 'none', unread: '' }],
  ] as const) {
    test(type || 'nothing', async () => {
      const parsed = await parse(body, { 'content-type': type })
      expect(JSON.parse(JSON.stringify(parsed))).toEqual(expected)
    })
  }

  test.each(['{"a":1}', ' {"a":', '{}', '{\n  "a": 1 }'])('JSON as a form, %j: 400', async (body) => {
    const message = expect.stringContaining('send the header "content-type: application/json"')
    await expect(parse(body, FORM_TYPE)).rejects.toMatchObject({ status: 400, message })
  })

  test.each(['{', '{a}=1', '%7B%22a%22%3A1%7D', '[a]=1'])('a form with such a field, %j', async (body) => {
    expect(await parse(body, FORM_TYPE)).toMatchObject({ kind: 'value' })
  })

  test('no content-type', async () => expect(await parse('{}', {})).toEqual({ kind: 'none', unread: '' }))

  for (const [name, headers] of [
    ['charset utf-16', { 'content-type': 'application/json; charset=utf-16' }],
    ['charset latin1 of a form', { 'content-type': 'application/x-www-form-urlencoded; charset=iso-8859-1' }],
    ['gzip', { ...JSON_TYPE, 'content-encoding': 'gzip' }],
    ['a list of encodings', { ...JSON_TYPE, 'content-encoding': 'identity, deflate' }],
  ] as const) {
    test(`${name}: 415`, async () => {
      await expect(parse('{}', headers)).rejects.toMatchObject({
        status: 415,
        name: 'UnsupportedMediaTypeError',
      })
    })
  }

  test('content-encoding identity', async () => {
    expect(await parse('{}', { ...JSON_TYPE, 'content-encoding': 'identity' })).toMatchObject({
      kind: 'value',
    })
  })

  test.each([
    '',
    '; boundary=',
    '; boundary=""',
    '; boundary=" "',
    '; boundary="a "',
    '; boundary=a b',
    '; boundary=a\\',
    '; boundary=\\',
    '; boundary="a\\\\"',
    '; boundary="a\\""',
    '; boundary="a',
    '; boundary=a"',
    '; boundary=\u00e4',
    '; boundary="a\tb"',
    '; boundary=a; boundary=b',
    '; boundary=a; Boundary=a',
    `; boundary=${'x'.repeat(71)}`,
    `; boundary=${'x'.repeat(10_000)}`,
    `; boundary="${'\\'.repeat(10_000)}`,
  ])('multipart/form-data%s: 400', async (parameters) => {
    const type = `multipart/form-data${parameters}`
    await expect(parse('x', { 'content-type': type })).rejects.toMatchObject({ status: 400 })
  })

  test('any header is understood or refused', async () => {
    const unit = fc.constantFrom(
      '; ',
      ';',
      '=',
      '"',
      '\\',
      ' ',
      '\t',
      ',',
      'boundary=',
      'charset=',
      'a',
      '\u00ff',
      '*',
    )
    await fc.assert(
      fc.asyncProperty(fc.string({ unit, maxLength: 30 }), async (parameters) => {
        for (const type of ['multipart/form-data', 'application/json']) {
          const parsed = await parse('{}', { 'content-type': type + parameters }).catch((error) => error)
          expect(parsed.kind !== undefined || [400, 415].includes(parsed.status)).toBe(true)
          if (parsed.kind === 'multipart') expect(parsed.boundary).toMatch(/^[ -~]{1,70}$/)
        }
      }),
      { numRuns: 2000 },
    )
  })
})

describe('JSON that is refused', () => {
  for (const [name, text, message] of [
    ['cut off', '{"a":', 'malformed JSON: it ends too early'],
    ['a string without an end', '{"a', 'malformed JSON: it ends too early'],
    ['white space only', ' ', 'malformed JSON: it ends too early'],
    ['a bad escape', '{"a":"\\x"}', 'malformed JSON at line 1, column 8'],
    ['a line break in a string', '{"a":"\n"}', 'malformed JSON at line 1, column 7'],
    ['a number with a leading zero', '[01]', 'malformed JSON at line 1, column 3'],
    ['a number with a dot at its end', '[1.]', 'malformed JSON at line 1, column 4'],
    ['a word cut short', '[tru]', 'malformed JSON at line 1, column 5'],
    ['a missing colon', '{"a" 1}', 'malformed JSON at line 1, column 6'],
    ['a missing comma', '[1 2]', 'malformed JSON at line 1, column 4'],
    ['a comma alone', '[,]', 'malformed JSON at line 1, column 2'],
    ['a trailing comma', '{"a":1,}', 'malformed JSON at line 1, column 8'],
    ['single quotes', "{'a':1}", 'malformed JSON at line 1, column 2'],
    ['two documents', '{"a":1} {"b":2}', 'malformed JSON at line 1, column 9'],
    ['on the second line', '{\n  "a": x\n}', 'malformed JSON at line 2, column 8'],
    ['NaN', 'NaN', 'malformed JSON at line 1, column 1'],
    ['a byte order mark', '\ufeff{}', 'malformed JSON at line 1, column 1'],
    ['a scalar', '1', 'invalid JSON, only supports object and array'],
    ['a string', '"x"', 'invalid JSON, only supports object and array'],
    ['null', 'null', 'invalid JSON, only supports object and array'],
    ['65 levels', deep(65), 'the JSON is nested deeper than 64 levels'],
    ['200,000 brackets', '['.repeat(200_000), 'the JSON is nested deeper than 64 levels'],
    ['65 objects', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, 'the JSON is nested deeper than 64 levels'],
    ['__proto__', '{"__proto__":{"a":1}}', 'the key "__proto__" is not allowed'],
    ['__proto__ deep inside', '{"a":[{"__proto__":1}]}', 'the key "__proto__" is not allowed'],
    ['__proto__ in escapes', '{"a":{"\\u005f_proto__":1}}', 'the key "__proto__" is not allowed'],
  ] as const) {
    test(name, async () => {
      await expect(parse(text, JSON_TYPE)).rejects.toMatchObject({
        status: 400,
        name: 'BadRequestError',
        message,
      })
    })
  }

  test('never quotes the body', async () => {
    await expect(parse('{"password": hunter2}', JSON_TYPE)).rejects.toMatchObject({
      message: expect.not.stringContaining('hunter'),
    })
  })

  test('invalid UTF-8', async () => {
    await expect(parse(Buffer.from('{"a":"\xff"}', 'latin1'), JSON_TYPE)).rejects.toMatchObject({
      message: 'the body is not valid UTF-8',
    })
  })
})

describe('JSON that is taken', () => {
  for (const [name, text, value] of [
    ['64 levels', deep(64), JSON.parse(deep(64))],
    ['brackets in strings', `{"a":"${'['.repeat(100)}"}`, { a: '['.repeat(100) }],
    ['escaped quotes before brackets', `{"a":"\\"${'['.repeat(100)}"}`, { a: `"${'['.repeat(100)}` }],
    ['a backslash at the end of a string', '{"a":"\\\\","b":[1]}', { a: '\\', b: [1] }],
    ['the text __proto__ as a value', '{"a":"__proto__"}', { a: '__proto__' }],
    [
      'constructor and prototype are ordinary keys',
      '{"constructor":{"prototype":1}}',
      { constructor: { prototype: 1 } },
    ],
    ['of repeated keys the last', '{"a":1,"a":2}', { a: 2 }],
  ] as const) {
    test(name, async () => expect(await parse(text, JSON_TYPE)).toEqual({ kind: 'value', value }))
  }

  test('whatever JSON.stringify makes of an object', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), async (value) => {
        const text = JSON.stringify(value)
        fc.pre(!text.includes('__proto__'))
        expect(await parse(text, JSON_TYPE)).toEqual({ kind: 'value', value: JSON.parse(text) })
      }),
    )
  })

  test('whatever the text, a value or a 400', async () => {
    const piece = fc.oneof(
      fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', '1', 'null', '\\u'),
      fc.string(),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1 }), async (pieces) => {
        const outcome = await parse(pieces.join(''), JSON_TYPE).catch((error: unknown) => error)
        expect(outcome).toSatisfy(
          (seen: { kind?: string; status?: number }) =>
            seen.status === 400 || ['value', 'none'].includes(seen.kind ?? ''),
        )
      }),
    )
  })
})

describe('forms', () => {
  for (const [name, text] of [
    ['1,001 parameters', Array.from({ length: 1001 }, (_, index) => `a${index}=1`).join('&')],
    ['21 levels', `a${'[b]'.repeat(21)}=1`],
    ['101 items', Array.from({ length: 101 }, () => 'a[]=1').join('&')],
  ] as const) {
    test(`${name}: 400`, async () => {
      await expect(parse(text, FORM_TYPE)).rejects.toMatchObject({ status: 400, name: 'BadRequestError' })
    })
  }

  test('no prototype is reached', async () => {
    await parse('__proto__[polluted]=1&constructor[prototype][polluted]=1', FORM_TYPE).catch(() => undefined)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})

// GraphQL multipart requests: the order of their parts is required, so that files are taken only where somebody may have
// them, and each is stored once.

import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { TEMPORARY_SPOOL } from '../../src/plugins/upload/spool-folder.ts'
import { PNG } from './open-library.ts'

const TOKEN = 't'.repeat(40)
let cms: Cms

beforeAll(async () => {
  cms = await createCms(
    {
      server: { limits: { body: '100kb' } },
      contentTypes: { note: { attributes: { text: 'string', extra: 'json' } } },
      plugins: { graphql: true },
      auth: {
        roles: { public: { permissions: ['note.find', 'note.create', 'plugin::upload.content-api.find'] } },
        apiTokens: [
          {
            name: 'uploader',
            type: 'custom',
            token: TOKEN,
            permissions: ['plugin::upload.content-api.upload', 'plugin::upload.content-api.find'],
          },
        ],
      },
    },
    { env: {} },
  )
})
afterAll(() => cms.close())

interface Part {
  readonly name: string
  readonly value: string
  readonly filename?: string
}

const field = (name: string, value: unknown): Part => ({
  name,
  value: typeof value === 'string' ? value : JSON.stringify(value),
})
const file = (name: string, value = PNG.toString('latin1'), filename = 'a.png'): Part => ({
  name,
  value,
  filename,
})

function bytesOf(parts: readonly Part[]): Buffer {
  const written = parts.map(({ name, value, filename }) => {
    const disposition = `form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}`
    const type = filename === undefined ? '' : 'content-type: image/png\r\n'
    return `--x\r\ncontent-disposition: ${disposition}\r\n${type}\r\n${value}\r\n`
  })
  return Buffer.from(`${written.join('')}--x--\r\n`, 'latin1')
}

/** How much of the body was asked for, too. */
async function send(
  parts: readonly Part[],
  token: string | undefined = undefined,
  filler = 0,
): Promise<{ status: number; body: unknown; text: string; read: number }> {
  const bytes = bytesOf(parts)
  let read = 0
  const body = new ReadableStream({
    pull(controller) {
      if (read < bytes.length) controller.enqueue(new Uint8Array(bytes.subarray(read, read + 65_536)))
      else if (read < bytes.length + filler) controller.enqueue(new Uint8Array(65_536))
      else controller.close()
      read += 65_536
    },
  })
  const response = await cms.fetch('/graphql', {
    method: 'POST',
    headers: {
      'content-type': 'multipart/form-data; boundary=x',
      'apollo-require-preflight': 'true',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body,
    duplex: 'half',
  } as RequestInit)
  const text = await response.text()
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    // A plain sentence.
  }
  return { status: response.status, body: parsed, text, read }
}

const UPLOAD = 'mutation($f: Upload!) { upload(file: $f) { data { id attributes { name } } } }'
const operations = field('operations', { query: UPLOAD, variables: { f: null } })
const map = field('map', { '0': ['variables.f'] })

async function stored(): Promise<number> {
  return cms.entries('plugin::upload.file').count()
}
let before = 0
beforeEach(async () => {
  before = await stored()
})

test('the order of the specification is taken', async () => {
  const { status, body } = await send([operations, map, file('0')], TOKEN)
  expect([status, body]).toMatchObject([
    200,
    { data: { upload: { data: { attributes: { name: 'a.png' } } } } },
  ])
  expect(await stored()).toBe(before + 1)
})

const refusals: readonly (readonly [
  name: string,
  parts: readonly Part[],
  status: number,
  message: string,
])[] = [
  ['a file first', [file('0'), operations, map], 400, 'files should follow \\"map\\"'],
  ['a file between', [operations, file('0'), map], 400, 'files should follow \\"map\\"'],
  ['the map first', [map, operations, file('0')], 400, '\\"map\\" should follow \\"operations\\"'],
  ['no operations', [map, file('0')], 400, '\\"map\\" should follow \\"operations\\"'],
  ['no operations and no file', [map], 400, 'Missing multipart field \\"operations\\"'],
  ['no map', [operations], 400, 'Missing multipart field \\"map\\"'],
  ['operations twice', [operations, operations, map, file('0')], 400, 'two multipart fields'],
  ['operations that are no JSON', [field('operations', '{'), map, file('0')], 400, 'Invalid JSON'],
  ['a map that is no JSON', [operations, field('map', '{'), file('0')], 400, 'Invalid JSON'],
  ['a map that is a list', [operations, field('map', []), file('0')], 400, 'must be an object'],
  ['a map of texts', [operations, field('map', { '0': 'variables.f' }), file('0')], 400, 'lists of paths'],
  ['a file without a path', [operations, field('map', { '0': [] }), file('0')], 400, 'has no path'],
  [
    'a file for 400 variables',
    [
      field('operations', { query: UPLOAD, variables: { f: Array(400).fill(null) } }),
      field('map', { '0': Array.from({ length: 400 }, (_, index) => `variables.f.${index}`) }),
      file('0'),
    ],
    400,
    'has several paths for the file \\"0\\": send it once for each',
  ],
  [
    'two files for one variable',
    [operations, field('map', { '0': ['variables.f'], '1': ['variables.f'] }), file('0'), file('1')],
    400,
    'twice',
  ],
  [
    'more entries than files may be',
    [
      field('operations', { query: UPLOAD, variables: { f: Array(101).fill(null) } }),
      field('map', Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`${i}`, [`variables.f.${i}`]]))),
      file('0'),
    ],
    400,
    'more than 100 files',
  ],
  [
    'a path to nothing',
    [operations, field('map', { '0': ['variables.g'] }), file('0')],
    400,
    'no variable is null',
  ],
  [
    'a path to the query',
    [operations, field('map', { '0': ['query'] }), file('0')],
    400,
    'no variable is null',
  ],
  [
    'a path that passes by the variables',
    [
      field('operations', { query: UPLOAD, extensions: { variables: null } }),
      field('map', { '0': ['extensions.variables'] }),
      file('0'),
    ],
    400,
    'no variable is null',
  ],
  [
    'a path that is a number',
    [operations, field('map', { '0': [1] }), file('0')],
    400,
    'no variable is null',
  ],
  [
    'a long path',
    [operations, field('map', { '0': ['variables.f.'.repeat(5000)] }), file('0')],
    400,
    'no variable is null',
  ],
  [
    'a path by __proto__',
    [operations, field('map', { '0': ['variables.__proto__'] }), file('0')],
    400,
    'no variable is null',
  ],
  ['a file that the map does not name', [operations, map, file('1')], 400, 'has no place'],
  ['a file twice', [operations, map, file('0'), file('0')], 400, 'two files'],
  ['a file that does not come', [operations, map], 400, 'was not sent'],
  ['a file without a name', [operations, map, file('')], 400, 'has no name'],
  [
    'fields that are larger together than a body',
    [...Array(50).fill(field('a', 'x'.repeat(5000))), operations],
    413,
    'larger than 102400 bytes together',
  ],
  [
    'one field that is larger than a body',
    [field('a', 'x'.repeat(200_000))],
    413,
    'larger than 102400 bytes together',
  ],
  ['more fields than there may be', Array(101).fill(field('a', 'x')), 413, 'too many parts'],
]

test.each(refusals)('%s', async (_, parts, status, message) => {
  const answer = await send(parts, TOKEN)
  expect(answer.text).toContain(message)
  expect(answer.status).toBe(status)
  expect(await stored()).toBe(before)
})

describe('permission comes before files', () => {
  const forbidden = {
    errors: [
      {
        message: 'Forbidden access',
        extensions: {
          error: {
            name: 'ForbiddenError',
            message: 'Forbidden access',
            details: { explain: expect.anything() },
          },
          code: 'FORBIDDEN',
        },
      },
    ],
    data: null,
  }
  const MEGABYTES = 20 * 1024 * 1024
  const open = (query: string, variables: object): readonly Part[] => [
    field('operations', { query, variables }),
    field('map', { '0': ['variables.f'] }),
    file('0', 'x'.repeat(300_000)),
  ]
  test.each<readonly [string, string, object]>([
    ['upload', UPLOAD, { f: null }],
    [
      'upload in a fragment',
      'mutation($f: Upload!) { ...F } fragment F on Mutation { upload(file: $f) { data { id } } }',
      { f: null },
    ],
    [
      'upload that is left out',
      'mutation($f: Upload!) { upload(file: $f) @skip(if: true) { data { id } } __typename }',
      { f: null },
    ],
    [
      'another mutation beside it',
      'mutation($f: Upload!) { createNote(data: { text: "made" }) { data { id } } upload(file: $f) { data { id } } }',
      { f: null },
    ],
  ])('%s', async (_, query, variables) => {
    const answer = await send(open(query, variables), undefined, MEGABYTES)
    expect(answer.body).toEqual(forbidden)
    // The rest of the body was not asked for.
    expect(answer.read).toBeLessThan(MEGABYTES)
    expect(await cms.entries('note').count()).toBe(0)
    expect(await readdir(TEMPORARY_SPOOL, { recursive: true }).catch(() => [])).not.toContainEqual(
      expect.stringMatching(new RegExp(`-${process.pid}/.`)),
    )
  })

  test.each<readonly [string, string, object, string]>([
    ['no variable takes it', '{ __typename }', { f: null }, 'Variable \\"$f\\" takes no file.'],
    [
      'JSON is no file',
      'mutation($f: JSON) { createNote(data: { extra: $f }) { data { id } } }',
      { f: null },
      'Variable \\"$f\\" takes no file.',
    ],
    [
      'a document that is wrong',
      'mutation($f: Upload!) { nope(file: $f) }',
      { f: null },
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['a document that is none', '{', { f: null }, 'GRAPHQL_PARSE_FAILED'],
    ['an empty request', '', { f: null }, 'non-empty `query`'],
  ])('%s', async (_, query, variables, message) => {
    const answer = await send(open(query, variables), undefined, MEGABYTES)
    expect(answer.text).toContain(message)
    expect(answer.status).toBe(400)
    expect(answer.read).toBeLessThan(MEGABYTES)
  })

  test('of a list each operation that gets files', async () => {
    const list = [
      { query: '{ notes { meta { pagination { total } } } }' },
      { query: UPLOAD, variables: { f: null } },
    ]
    const parts = [field('operations', list), field('map', { '0': ['1.variables.f'] }), file('0')]
    expect(await send(parts)).toMatchObject({ body: forbidden })
    expect(await send(parts, TOKEN)).toMatchObject({ status: 200 })
    for (const path of ['0.variables.f', '2.variables.f', 'x.variables.f', 'variables.f']) {
      const [all, , data] = parts as [Part, Part, Part]
      expect((await send([all, field('map', { '0': [path] }), data], TOKEN)).status).toBe(400)
    }
  })
})

test('one file is stored once, however often the operation names it', async () => {
  for (const query of [
    'mutation($f: Upload!) { a: upload(file: $f) { data { id } } b: upload(file: $f) { data { id } } }',
    'mutation($f: Upload!) { multipleUpload(files: [$f, $f, $f]) { data { id } } }',
  ]) {
    const { text } = await send(
      [field('operations', { query, variables: { f: null } }), map, file('0')],
      TOKEN,
    )
    expect(text).toContain('The file \\"a.png\\" is used more than once: send it once for each use')
  }
  expect((await stored()) - before).toBeLessThanOrEqual(1)
})

// Files through GraphQL: the same rules as through REST.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Library, openLibrary, PNG } from './open-library.ts'

let library: Library
beforeAll(async () => {
  library = await openLibrary({}, { graphql: true })
})
afterAll(() => library.close())

type Json = Record<string, unknown>

async function send(
  query: string,
  variables: Json,
  map: Record<string, string[]>,
  files: Record<string, File>,
): Promise<Json> {
  const form = new FormData()
  form.append('operations', JSON.stringify({ query, variables }))
  form.append('map', JSON.stringify(map))
  for (const [name, file] of Object.entries(files)) form.append(name, file)
  const headers = { 'apollo-require-preflight': 'true' }
  return (await (await library.cms.fetch('/graphql', { method: 'POST', headers, body: form })).json()) as Json
}

async function ask(query: string): Promise<Json> {
  const headers = { 'content-type': 'application/json' }
  const response = await library.cms.fetch('/graphql', {
    method: 'POST',
    headers,
    body: JSON.stringify({ query }),
  })
  return (await response.json()) as Json
}

const png = new File([new Uint8Array(PNG)], 'a.png', { type: 'image/png' })
const fake = new File(['x'], 'a.png', { type: 'image/png' })
const UPLOAD = 'mutation($f: Upload!) { upload(file: $f) { data { id attributes { name mime } } } }'

test('a file is uploaded for an entry, described, and removed with its contents', async () => {
  const book = await library.cms.entries('book').create({ title: 't' })
  const answer = await send(
    `mutation($f: Upload!) { upload(file: $f, ref: "api::book.book", refId: ${book.id}, field: "cover", info: { caption: "c" }) { data { id attributes { caption } } } }`,
    { f: null },
    { '0': ['variables.f'] },
    { '0': png },
  )
  expect(answer).toMatchObject({ data: { upload: { data: { attributes: { caption: 'c' } } } } })
  const { id } = (answer['data'] as { upload: { data: { id: string } } }).upload.data
  expect(await ask(`{ book(id: ${book.id}) { data { attributes { cover { data { id } } } } } }`)).toEqual({
    data: { book: { data: { attributes: { cover: { data: { id } } } } } },
  })
  expect(
    await ask(
      `{ uploadFile(id: ${id}) { data { attributes { related { __typename ... on Book { title } } } } } }`,
    ),
  ).toEqual({
    data: { uploadFile: { data: { attributes: { related: [{ __typename: 'Book', title: 't' }] } } } },
  })
  expect(
    await ask(
      `mutation { updateFileInfo(id: ${id}, info: { name: "b.png" }) { data { attributes { name caption } } } }`,
    ),
  ).toEqual({ data: { updateFileInfo: { data: { attributes: { name: 'b.png', caption: 'c' } } } } })
  expect((await library.stored()).length).toBe(1)
  expect(await ask(`mutation { removeFile(id: ${id}) { data { id } } }`)).toEqual({
    data: { removeFile: { data: { id } } },
  })
  expect(await library.stored()).toEqual([])
})

test('several files at once, one of them wrong: none is stored', async () => {
  const query = 'mutation($f: [Upload]!) { multipleUpload(files: $f) { data { attributes { name } } } }'
  const map = { '0': ['variables.f.0'], '1': ['variables.f.1'] }
  expect(await send(query, { f: [null, null] }, map, { '0': png, '1': fake })).toMatchObject({
    error: { status: 400 },
  })
  expect(await library.stored()).toEqual([])
  expect(await send(query, { f: [null, null] }, map, { '0': png, '1': png })).toMatchObject({
    data: { multipleUpload: [{ data: { attributes: { name: 'a.png' } } }, {}] },
  })
  expect((await library.stored()).length).toBe(2)
})

test('nobody says by hand where contents lie', async () => {
  const [file] = await library.cms.entries('plugin::upload.file').findMany()
  for (const data of ['hash: "other"', 'url: "/x"', 'formats: { a: { hash: "other" } }']) {
    const answer = await ask(
      `mutation { updateUploadFile(id: ${file?.id}, data: { ${data} }) { data { id } } }`,
    )
    expect(answer['errors']).toMatchObject([{ extensions: { error: { name: 'ValidationError' } } }])
  }
  const made = await ask(
    'mutation { createUploadFile(data: { name: "a", hash: "h", mime: "text/plain", size: 1, url: "/x", provider: "local" }) { data { id } } }',
  )
  expect(made['errors']).toMatchObject([{ message: '"hash" of a file is set by its upload' }])
})

test('what is no file is no value', async () => {
  expect((await ask('mutation { upload(file: "x") { data { id } } }'))['errors']).toBeDefined()
  const answer = await send(UPLOAD, { f: 'x' }, {}, {})
  expect(answer['errors']).toBeDefined()
})

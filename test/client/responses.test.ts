// Answers are as the generated types say: of the recorded Strapi, and of this server for every content-type of the same
// model and the common forms of questions. Each answer is compiled as a literal of its type, so that a missing, an
// additional and a wrong value are found.

import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkConfig } from '../../src/app/check-config.ts'
import { queryText } from '../../src/client/query-text.ts'
import { listResponseFields } from '../../src/describe/declare-responses.ts'
import { buildClientSource } from '../../src/describe/type-declarations.ts'
import { typeNames } from '../../src/describe/type-names.ts'
import type { EntriesQuery } from '../../src/index.ts'
import type { ContentType } from '../../src/model/content-type.ts'
import type { Model } from '../../src/model/model.ts'
import { parseQueryString } from '../../src/rest/query-string.ts'
import { newFolder } from '../archive/in-file.ts'
import { readGroups, recorded } from '../conformance/recorded-case.ts'
import { openRecordedCms, type RecordedCms } from '../conformance/recorded-cms.ts'
import { compilePrograms } from '../support/compile-programs.ts'

interface Question {
  readonly populate?: unknown
  readonly fields?: unknown
  readonly publicationState?: unknown
  readonly pagination?: unknown
}

/** An answer, and the type that it must have. */
interface Answered {
  readonly label: string
  readonly type: string
  readonly body: unknown
}

let model: Model
let source: string
let open: RecordedCms
beforeAll(async () => {
  const checked = await checkConfig({ file: join(recorded, 'cms.yaml') }, { env: {} })
  if (checked.model === undefined) throw new Error('the recorded model is wrong')
  model = checked.model
  source = buildClientSource(model, { prefix: '/api', withCount: true })
  open = await openRecordedCms(undefined)
})
afterAll(() => open?.close())

/** The type of what `type` answers to `question`. */
function typeOf(type: ContentType, question: Question, list: boolean): string {
  const shape = `${typeNames(model).get(type)}Shape`
  const chosen = `{ populate: ${literal(question.populate)}; fields: ${literal(question.fields)} }`
  // One entry may be a draft; only lists and single types hide them.
  const live = (list || type.kind === 'singleType') && question.publicationState !== 'preview'
  const subject = `Subject<${shape}, ${chosen}, ${live ? "'live'" : "'preview'"}>`
  return list ? `List<${subject}, ${literal(question.pagination)}, ${shape}['counts']>` : `One<${subject}>`
}

/** A value as a type. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `readonly [${value.map(literal).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}: ${literal(inner)}`)
    return `{ ${members.join('; ')} }`
  }
  return value === undefined ? 'undefined' : JSON.stringify(value)
}

function faultsOf(answers: readonly Answered[]): readonly string[] {
  const lines = answers.map(
    ({ type, body }, index) => `export const answer${index}: ${type} = ${JSON.stringify(body)}`,
  )
  const names = [...source.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name]) => name)
  const found = compilePrograms(newFolder(), {
    'client.ts': source,
    'answers.ts': `import type { ${names.join(', ')} } from './client.ts'\n${lines.join('\n')}\n`,
  })
  return [...found.values()].flat().map((line) => {
    const [, row] = /^answers\.ts\((\d+),/.exec(line) ?? []
    return row === undefined ? line : `${answers[Number(row) - 2]?.label}\n  ${line.slice(0, 600)}`
  })
}

test('a wrong answer is found', () => {
  const author = model.contentTypes.get('api::author.author')
  if (author === undefined) throw new Error('the model has changed')
  const times = { createdAt: '2030-01-01T00:00:00.000Z', updatedAt: '2030-01-01T00:00:00.000Z' }
  const ofAuthor = { name: 'Ann', email: null, bio: null, born: null, ...times }
  const answer = (label: string, attributes: object, question: Question = {}): Answered => ({
    label,
    type: typeOf(author, question, false),
    body: { data: { id: 1, attributes }, meta: {} },
  })
  const wrong: readonly Answered[] = [
    answer('null', { ...ofAuthor, name: null }),
    answer('a number', { ...ofAuthor, name: 7 }),
    answer('a private attribute', { ...ofAuthor, secret_note: 'x' }),
    answer('attributes that are missing', times),
    { ...answer('a list', ofAuthor), body: { data: [], meta: {} } },
    answer('a member that is missing', ofAuthor, { populate: 'articles' }),
  ]
  const found = faultsOf([answer('right', ofAuthor), ...wrong]).map((fault) => fault.split('\n')[0])
  expect(found).toEqual(wrong.map(({ label }) => label))
})

test('a list has its total unless nobody wants it', () => {
  const total = { pageCount: 0, total: 0 }
  const list = (label: string, question: string, counts: string, more: object): Answered => ({
    label,
    type: `List<Subject<AuthorShape>, ${question}, ${counts}>`,
    body: { data: [], meta: { pagination: { page: 1, pageSize: 25, ...more } } },
  })
  const right = [
    list('by default', 'undefined', "AuthorShape['counts']", total),
    list('asked for', '{ withCount: true }', 'false', total),
    list('not asked for', '{ page: 1; withCount: false }', 'true', {}),
    list('not by default', '{ page: 1 }', 'false', {}),
    list('known at run time', '{ withCount?: boolean }', 'true', {}),
  ]
  const wrong = [
    list('missing', '{ page: 1 }', 'true', {}),
    list('unasked', '{ withCount: false }', 'true', total),
  ]
  const found = faultsOf([...right, ...wrong]).map((fault) => fault.split('\n')[0])
  expect(found).toEqual(wrong.map(({ label }) => label))
})

test('what this server answers', async () => {
  const answers: Answered[] = []
  for (const type of model.contentTypes.values()) {
    if (!type.uid.startsWith('api::')) continue
    const single = type.kind === 'singleType'
    for (const question of questionsAbout(type)) {
      const path = `/api/${single ? type.singularName : type.pluralName}`
      const text = queryText({ ...question, ...(single ? {} : { pagination: { pageSize: 4 } }) })
      const answer = await ask(`${path}?${text}`)
      if (answer === undefined) continue
      const typed = single ? question : { ...question, pagination: { pageSize: 4 } }
      answers.push({ label: `${path}?${text}`, type: typeOf(type, typed, !single), body: answer })
      const [first] = single ? [] : (answer as { data: { id: number }[] }).data
      if (first === undefined) continue
      const one = await ask(`${path}/${first.id}?${text.replace(/&?pagination[^&]*/, '')}`)
      answers.push({ label: `${path}/${first.id}?${text}`, type: typeOf(type, question, false), body: one })
    }
  }
  expect(answers.length).toBeGreaterThan(150)
  expect(faultsOf(answers)).toEqual([])
})

test('what cms.entries() answers', async () => {
  const answers: Answered[] = []
  for (const type of model.contentTypes.values()) {
    const shape = `${typeNames(model).get(type)}Shape`
    for (const question of questionsAbout(type)) {
      const state = question.publicationState ?? 'preview'
      const found: unknown = await open.cms.entries(type.uid).findMany({
        ...question,
        ...(question.fields === '*' && { fields: ['*'] }),
        publicationState: state,
        limit: 3,
      } as EntriesQuery)
      const chosen = `{ populate: ${literal(question.populate)}; fields: ${literal(question.fields)} }`
      answers.push({
        label: `${type.uid} ${JSON.stringify(question)}`,
        type: `readonly FlatEntry<${shape}, ${chosen}, ${literal(state)}>[]`,
        body: found,
      })
    }
  }
  expect(answers.length).toBeGreaterThan(150)
  expect(faultsOf(answers)).toEqual([])
})

/** Everything that a content-type has, alone, together and nested. */
function questionsAbout(type: ContentType): readonly Question[] {
  const members = listResponseFields(type).map(({ name }) => name)
  const fields = [...type.attributes.values()]
    .filter((attribute) => attribute.kind === 'scalar' && !attribute.private)
    .map(({ name }) => name)
  return [
    {},
    { publicationState: 'live' },
    { publicationState: 'preview' },
    { fields: fields.slice(0, 2) },
    { fields: '*', populate: '*' },
    { publicationState: 'preview', populate: '*' },
    { populate: members },
    ...members.flatMap((member) => [
      { populate: member },
      { populate: { [member]: { populate: '*' } } },
      { publicationState: 'preview', populate: { [member]: { populate: '*' } } },
    ]),
  ]
}

async function ask(path: string): Promise<unknown> {
  const token = [...open.secrets.apiTokens].find(([name]) => name === 'full')?.[1]
  const response = await open.cms.fetch(path, { headers: { authorization: `Bearer ${token}` } })
  const answer: unknown = await response.json()
  if (response.status === 404) return undefined
  expect({ path, status: response.status, answer: response.status === 200 ? '' : answer }).toEqual({
    path,
    status: 200,
    answer: '',
  })
  return answer
}

/** Cases of callers who may not find what they populate: the member is left out. */
const withoutPermission: ReadonlySet<string> = new Set(
  ['009', '039', '041', '100', '164', '165', '166', '169', '173', '175', '176'].map(
    (number) => `populate-${number}`,
  ),
)

test('what Strapi answered', () => {
  const answers = [
    'rest-find',
    'rest-findone',
    'rest-single-type',
    'populate',
    'fields',
    'publication-state',
    'pagination',
    'i18n',
    'sort',
    'filters',
  ]
    .flatMap((area) => [...readGroups(area).values()].flat())
    .flatMap(({ id, request, response, setup }): readonly Answered[] => {
      const [path = '', query = ''] = request.path.split('?')
      const [, , name, entry] = path.split('/')
      const type = [...model.contentTypes.values()].find(
        ({ uid, kind, pluralName, singularName }) =>
          uid.startsWith('api::') && name === (kind === 'singleType' ? singularName : pluralName),
      )
      if (request.method !== 'GET' || response?.status !== 200 || type === undefined || setup !== undefined)
        return []
      // A list, which the types of a single type do not offer.
      if (type.kind === 'singleType' && query.includes('locale=all')) return []
      if (withoutPermission.has(id)) return []
      const question = typedForm(query)
      if (question === undefined) return []
      const list = type.kind === 'collectionType' && entry === undefined
      return [{ label: id, type: typeOf(type, question, list), body: response.body }]
    })
  expect(answers.length).toBeGreaterThan(300)
  expect(faultsOf(answers)).toEqual([])
})

/** The question as a program writes it: truth values and numbers, and lists in place of texts with commas. */
function typedForm(query: string): Question | undefined {
  let parsed: Readonly<Record<string, unknown>>
  try {
    parsed = parseQueryString(query)
  } catch {
    return undefined
  }
  const { populate, fields, publicationState, pagination } = parsed
  return {
    populate: typedPopulate(populate),
    fields,
    publicationState,
    pagination: isMap(pagination)
      ? Object.fromEntries(Object.keys(pagination).map((key) => [key, 1]))
      : undefined,
  }
}

function typedPopulate(value: unknown): unknown {
  if (typeof value === 'string')
    return value.includes(',') ? value.split(',').map((name) => name.trim()) : value
  if (Array.isArray(value)) return value.flatMap(typedPopulate)
  if (!isMap(value)) return undefined
  return Object.fromEntries(Object.entries(value).map(([name, options]) => [name, typedOptions(options)]))
}

function typedOptions(options: unknown): unknown {
  if (options === 'true' || options === 't') return true
  if (options === 'false' || options === 'f') return false
  if (!isMap(options)) return options
  const { populate, count, on, ...rest } = options
  return {
    ...rest,
    ...(populate === undefined ? {} : { populate: typedPopulate(populate) }),
    ...(count === undefined ? {} : { count: count === 'true' }),
    ...(on === undefined ? {} : { on: typedPopulate(on) }),
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// Questions and writes at random, made by walking the model's relations: any depth and width of populate and of selections,
// sorts and filters along any path, pages up to the limit. Most are far from what a person would ask.

import fc from 'fast-check'
import { graph, pluralOf, type TypeName } from './hub.ts'

export interface RandomRequest {
  readonly path: string
  readonly init: { readonly method: string; readonly headers: Record<string, string>; readonly body?: string }
}

/** Draws values: whole numbers below a bound, and one of a list. */
interface Draw {
  below(bound: number): number
  of<T>(values: readonly T[]): T
}

export const randomRequest: fc.Arbitrary<RandomRequest> = fc.infiniteStream(fc.nat()).map((numbers) => {
  const below = (bound: number): number => Number(numbers.next().value) % bound
  return makeRequest({ below, of: (values) => values[below(values.length)] as (typeof values)[number] })
})

const types = Object.keys(graph) as readonly TypeName[]

function makeRequest(draw: Draw): RandomRequest {
  const kind = draw.below(10)
  const type = draw.of(types)
  const plural = pluralOf[type]
  if (kind < 5) {
    const id = draw.below(4) === 0 ? `/${1 + draw.below(200)}` : ''
    return get(`/api/${plural}${id}?${new URLSearchParams(restQuestion(draw, type, id === ''))}`)
  }
  if (kind < 9) return graphqlRequest(draw)
  const query = new URLSearchParams(populateOf(draw, type, 'populate', 4))
  const data = dataOf(draw, type)
  return draw.below(2) === 0
    ? send('POST', `/api/${plural}?${query}`, { data })
    : send('PUT', `/api/${plural}/${1 + draw.below(200)}?${query}`, { data })
}

function get(path: string): RandomRequest {
  return { path, init: { method: 'GET', headers: {} } }
}

function send(method: string, path: string, body: unknown): RandomRequest {
  const headers = { 'content-type': 'application/json' }
  return { path, init: { method, headers, body: JSON.stringify(body) } }
}

type Pair = [name: string, value: string]

function restQuestion(draw: Draw, type: TypeName, isList: boolean): Pair[] {
  const pairs = populateOf(draw, type, 'populate', 1 + draw.below(8))
  if (!isList) return pairs
  pairs.push(['pagination[pageSize]', String(draw.of([1, 10, 25, 100, 100]))])
  pairs.push(...sortsOf(draw, type, 'sort'), ...filtersOf(draw, type, 'filters', draw.of([0, 1, 3, 30])))
  if (draw.below(20) === 0) pairs.push(['_q', draw.of(['title 1', '17', 'nothing of this'])])
  if (draw.below(3) === 0) pairs.push(['publicationState', 'preview'])
  return pairs
}

function populateOf(draw: Draw, type: TypeName, at: string, depth: number): Pair[] {
  if (depth === 0) return []
  if (draw.below(8) === 0) return [[at, '*']]
  return graph[type].relations.flatMap(({ name, target, many }): Pair[] => {
    if (draw.below(3) === 0) return []
    const member = `${at}[${name}]`
    const below = populateOf(draw, target, `${member}[populate]`, depth - 1)
    const pairs: Pair[] = below.length === 0 ? [[member, 'true']] : below
    if (many && draw.below(4) === 0) {
      if (below.length === 0) pairs.length = 0
      pairs.push(
        ...sortsOf(draw, target, `${member}[sort]`),
        ...filtersOf(draw, target, `${member}[filters]`, 2),
      )
      pairs.push([`${member}[limit]`, String(draw.of([1, 10, 100]))])
    }
    return pairs
  })
}

function pathOf(draw: Draw, type: TypeName, most: number): readonly string[] {
  let at = type
  const path: string[] = []
  for (let hops = draw.below(most + 1); hops > 0; hops--) {
    const { name, target } = draw.of(graph[at].relations)
    path.push(name)
    at = target
  }
  return [...path, draw.of(graph[at].scalars)]
}

function sortsOf(draw: Draw, type: TypeName, at: string): Pair[] {
  const count = draw.of([0, 1, 2, 5])
  return Array.from({ length: count }, (_, index) => [
    `${at}[${index}]`,
    `${pathOf(draw, type, draw.of([0, 1, 1, 2, 4])).join('.')}:${draw.of(['asc', 'desc'])}`,
  ])
}

const operators = [
  '$eq',
  '$contains',
  '$containsi',
  '$startsWith',
  '$gt',
  '$ne',
  '$notNull',
  '$endsWithi',
] as const
const values = ['1', '7', 'title', 'tag 2', 'zzz'] as const

function filtersOf(draw: Draw, type: TypeName, at: string, most: number): Pair[] {
  const count = draw.below(most + 1)
  return Array.from({ length: count }, (_, index) => {
    const keys = pathOf(draw, type, draw.of([0, 1, 3, 9]))
    const condition = keys.map((key) => `[${key}]`).join('')
    return [`${at}[$or][${index}]${condition}[${draw.of(operators)}]`, draw.of(values)]
  })
}

function dataOf(draw: Draw, type: TypeName): Readonly<Record<string, unknown>> {
  const [scalar = ''] = graph[type].scalars
  return {
    [scalar]: draw.of(values),
    ...Object.fromEntries(
      graph[type].relations
        .filter(() => draw.below(2) === 0)
        .map(({ name, many }) => [
          name,
          many ? [1 + draw.below(50), 1 + draw.below(50)] : 1 + draw.below(50),
        ]),
    ),
  }
}

function graphqlRequest(draw: Draw): RandomRequest {
  const variables: Record<string, unknown> = {}
  const parameters: string[] = []
  /** Filters are variables, so that they are not bounded by the document's. */
  const argumentsOf = (type: TypeName): string => {
    const name = `f${parameters.length}`
    parameters.push(`$${name}: ${type[0]?.toUpperCase()}${type.slice(1)}FiltersInput`)
    const conditions = Array.from({ length: draw.below(draw.of([1, 2, 5, 60])) }, () => nested(draw, type))
    variables[name] = { or: conditions.length === 0 ? [{ id: { notNull: true } }] : conditions }
    const sort =
      draw.below(2) === 0 ? '' : `, sort: "${pathOf(draw, type, draw.of([0, 1, 1, 2, 3])).join('.')}"`
    return `(filters: $${name}${sort}, pagination: { limit: ${draw.of([1, 10, 100])} })`
  }
  const selection = (type: TypeName, depth: number): string => {
    const own = graph[type].scalars.filter(() => draw.below(2) === 0)
    const members = graph[type].relations.flatMap(({ name, target, many }) =>
      depth === 0 || draw.below(3) === 0
        ? []
        : Array.from({ length: 1 + draw.below(draw.of([1, 1, 1, 12])) }, (_, index) => {
            const page = many && draw.below(2) === 0 ? argumentsOf(target) : ''
            return `${name}${index}: ${name}${page} { data { id attributes { ${selection(target, depth - 1)} } } }`
          }),
    )
    return ['__typename', ...own, ...members].join(' ')
  }
  const roots = Array.from({ length: 1 + draw.below(draw.of([1, 1, 5])) }, (_, index) => {
    const type = draw.of(types)
    const meta = draw.below(2) === 0 ? 'meta { pagination { total } }' : ''
    return `r${index}: ${pluralOf[type]}${argumentsOf(type)} { ${meta} data { id attributes { ${selection(type, draw.below(3))} } } }`
  })
  const query = `query(${parameters.join(', ')}) { ${roots.join(' ')} }`
  return send('POST', '/graphql', { query, variables })
}

function nested(draw: Draw, type: TypeName): unknown {
  const path = pathOf(draw, type, draw.of([0, 1, 3, 9]))
  const text = path.at(-1) !== 'rating'
  const compared = text
    ? { [draw.of(['eq', 'contains', 'containsi', 'startsWith', 'ne'])]: draw.of(values) }
    : { [draw.of(['eq', 'gt', 'lt', 'ne'])]: draw.below(10) }
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), compared)
}

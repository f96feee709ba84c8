// Expressions as policies: what compiles, what is refused and where, what denies.

import { describe, expect, test } from 'vitest'
import { compileCel } from '../../../src/access/compile-cel.ts'

const EDITOR = { user: { id: 7, role: { type: 'editor' } } }

async function judge(expression: string, context: Record<string, unknown>, config?: unknown) {
  const compiled = await compileCel(expression)
  if (!compiled.ok) throw new Error(compiled.message)
  return compiled.bind(config).run(context)
}

describe('agrees', () => {
  test.each([
    ['state.user != null && state.user.role.type == config.role', { state: EDITOR }, { role: 'editor' }],
    ['state.user == null', { state: { user: undefined } }],
    ['args.limit + 1 <= 10 && args.limit % 2 == 1', { args: { limit: 9 } }],
    ['args.price > 1.5 && args.price == 2.0', { args: { price: 2 } }],
    ['!has(args.filters) || !has(args.filters.secret)', { args: { filters: { a: 1 } } }],
    ['body.tags.all(tag, tag.size() < 5)', { body: { tags: ['a', 'bcd'] } }],
    ['query.q.matches("^a+$")', { query: { q: 'aaa' } }],
    [
      'http.headers["x-key"] == "matches" && http.method in ["GET", "HEAD"]',
      {
        http: { method: 'GET', headers: { 'x-key': 'matches' } },
      },
    ],
    ['params.id == string(state.user.id)', { params: { id: '7' }, state: EDITOR }],
  ] as const)('%s', async (expression, context, config?: unknown) => {
    expect(await judge(expression, context, config)).toBe(true)
  })
})

describe('denies', () => {
  const long = Array.from({ length: 1001 }, () => 1)
  test.each([
    ['false', {}],
    ['what is not there', { expression: 'state.user.role.type == "x"', state: {} }],
    ['a key of nobody', { expression: 'state.user.nope == 1', state: EDITOR }],
    ['numbers and texts', { expression: 'args.limit > "a"', args: { limit: 1 } }],
    ['a value that is not true', { expression: 'args.flag', args: { flag: 'yes' } }],
    ['a list that is too long', { expression: 'args.list.size() > 0', args: { list: long } }],
    [
      'more values than it may look at',
      {
        expression: 'args.lists.size() > 0',
        args: { lists: Array.from({ length: 20 }, () => long.slice(1)) },
      },
    ],
    ['names of objects', { expression: 'state.constructor != null', state: {} }],
  ] as const)('%s', async (_name, context) => {
    const { expression = 'false', ...rest } = context as { expression?: string }
    expect(await judge(expression, rest)).toBe(false)
  })

  test('a pattern that would backtrack for ages', async () => {
    const q = `${'a'.repeat(4000)}!`
    expect(await judge('query.q.matches("^(a+)+$")', { query: { q } })).toBe(false)
  })
})

describe('is refused when it is loaded', () => {
  test.each([
    ['"a" +', 'unexpected token: EOF', [4, 5]],
    ['stat.user != null', 'unknown variable: stat', [0, 4], 'did you mean "state"?'],
    ['user.id == 1', 'unknown variable: user', [0, 4], expect.stringContaining('may name state, args')],
    ['query.q.contians("a")', "found no matching overload for 'dyn.contians(string)'", [0, 21]],
    ['1 + 1', 'it is never true: its value is of type int', [0, 5]],
    [
      'args.a.all(x, args.b.all(y, args.c.all(z, z == x)))',
      'loops may stand 2 deep in each other, not deeper',
      [28, 49],
    ],
  ])('%s', async (expression, message, range, help?: unknown) => {
    expect(await compileCel(expression)).toEqual({ ok: false, message, range, help })
  })

  test('what is longer than a sentence', async () => {
    const compiled = await compileCel(Array.from({ length: 600 }, () => 'args.a').join(' + '))
    expect(compiled.ok).toBe(false)
  })
})

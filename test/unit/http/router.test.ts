import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Method, Route } from '../../../src/http/route.ts'
import { createRouter } from '../../../src/http/router.ts'
import { ApiError } from '../../../src/lib/errors/api-error.ts'

const route = (method: Method, path: string): Route => ({
  method,
  path,
  handler: () => ({ status: 200, body: `${method} ${path}` }),
})

const ROUTES = [
  route('GET', '/'),
  route('GET', '/api/articles'),
  route('POST', '/api/articles'),
  route('GET', '/api/articles/count'),
  route('GET', '/api/articles/:id'),
  route('PUT', '/api/articles/:id'),
  route('GET', '/api/articles/:id/comments/:comment'),
  route('GET', '/api/articles/count/comments'),
  route('POST', '/api/login'),
]
const router = createRouter(ROUTES)

/** The path of the route that matched and its parameters, or what else the router said. */
function find(method: string, path: string): unknown {
  const match = router.match(method, path)
  if (match.kind !== 'found') return match
  return [match.route.path, ...match.parameters]
}

describe('suggest', () => {
  const named = createRouter(
    ['recipes', 'categories', 'boxes', 'articles/:id', 'articles', 'home'].map((path) =>
      route('GET', `/api/${path}`),
    ),
  )
  test.each([
    ['/api/recipe', '/api/recipes'],
    ['/api/category', '/api/categories'],
    ['/api/box', '/api/boxes'],
    ['/api/article/7', '/api/articles/7'],
    ['/api/artilces/a%2Fb', '/api/articles/a%2Fb'],
    ['/apj/recipe/', '/api/recipes'],
    ['/api/homes', '/api/home'],
    ['/api/recipes/7', undefined],
    ['/api/something', undefined],
    ['/', undefined],
    ['/x', undefined],
  ])('%s', (path, meant) => {
    expect(named.suggest(path)).toBe(meant)
  })
})

const NOT_FOUND = { kind: 'not-found' }

describe('match', () => {
  for (const [name, method, path, expected] of [
    ['the root', 'GET', '/', ['/']],
    ['an exact path', 'GET', '/api/articles', ['/api/articles']],
    ['HEAD is served by GET', 'HEAD', '/api/articles', ['/api/articles']],
    ['one trailing slash', 'GET', '/api/articles/', ['/api/articles']],
    ['two trailing slashes', 'GET', '/api/articles//', NOT_FOUND],
    ['an empty segment inside', 'GET', '/api//articles', NOT_FOUND],
    ['another case', 'GET', '/api/Articles', NOT_FOUND],
    ['a prefix of a route', 'GET', '/api', NOT_FOUND],
    ['more than a route', 'GET', '/api/articles/1/2', NOT_FOUND],
    ['a parameter', 'GET', '/api/articles/7', ['/api/articles/:id', '7']],
    ['a parameter with a trailing slash', 'GET', '/api/articles/7/', ['/api/articles/:id', '7']],
    ['a literal wins over a parameter', 'GET', '/api/articles/count', ['/api/articles/count']],
    ['and over it in the middle', 'GET', '/api/articles/count/comments', ['/api/articles/count/comments']],
    [
      'unless its branch leads nowhere',
      'GET',
      '/api/articles/count/comments/3',
      ['/api/articles/:id/comments/:comment', 'count', '3'],
    ],
    [
      'two parameters',
      'GET',
      '/api/articles/7/comments/8',
      ['/api/articles/:id/comments/:comment', '7', '8'],
    ],
    ['decoding', 'GET', '/api/articles/a%20b', ['/api/articles/:id', 'a b']],
    ['an encoded slash is part of the value', 'GET', '/api/articles/a%2Fb', ['/api/articles/:id', 'a/b']],
    ['decoding happens once', 'GET', '/api/articles/%2541', ['/api/articles/:id', '%41']],
    ['an encoded NUL is data', 'GET', '/api/articles/a%00', ['/api/articles/:id', 'a\0']],
    ['an encoded literal', 'GET', '/api/%61rticles', ['/api/articles']],
    ['an encoded dot is no way up', 'GET', '/api/x/%2e%2e/articles', NOT_FOUND],
    ['a plus is a plus', 'GET', '/api/articles/a+b', ['/api/articles/:id', 'a+b']],
    ['another method', 'DELETE', '/api/articles', { kind: 'method-not-allowed', allow: 'HEAD, GET, POST' }],
    [
      'another method on a parameter',
      'POST',
      '/api/articles/1',
      { kind: 'method-not-allowed', allow: 'HEAD, GET, PUT' },
    ],
    ['GET where only POST is', 'GET', '/api/login', { kind: 'method-not-allowed', allow: 'POST' }],
    ['a path without a slash', 'GET', 'api', NOT_FOUND],
    ['an empty path', 'GET', '', NOT_FOUND],
  ] as const) {
    test(name, () => expect(find(method, path)).toEqual(expected))
  }

  for (const [name, path, message] of [
    ['half an escape', '/api/articles/%', 'failed to decode'],
    ['no hexadecimal', '/api/articles/%zz', 'failed to decode'],
    ['cut UTF-8', '/api/articles/%E0%A4%A', 'failed to decode'],
    ['overlong UTF-8', '/api/articles/%C0%AF', 'failed to decode'],
    ['an encoded surrogate', '/%ED%A0%80', 'failed to decode'],
    ['two slashes', '//api/articles', 'Malicious Path'],
  ] as const) {
    test(`refuses ${name}`, () => {
      expect(() => router.match('GET', path)).toThrow(
        expect.objectContaining({ name: 'BadRequestError', message }),
      )
    })
  }
})

describe('createRouter', () => {
  test('refuses two routes for one method and path', () => {
    expect(() => createRouter([route('GET', '/a/:x'), route('GET', '/a/:y')])).toThrow(
      'two routes for GET /a/:y',
    )
  })
  test.each(['', 'a', '/a/', '//a', '/a//b'])('refuses the path %j', (path) => {
    expect(() => createRouter([route('GET', path)])).toThrow('not a route path')
  })
})

test('whatever the path, the router answers or throws an ApiError', () => {
  const segment = fc.oneof(
    fc.constantFrom('api', 'articles', 'count', 'comments', '', '%', '%2f', '%00', '%ff', '..', '.', ':id'),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(segment), fc.constantFrom('GET', 'HEAD', 'POST', 'X'), (segments, method) => {
      try {
        expect(['found', 'not-found', 'method-not-allowed']).toContain(
          router.match(method, `/${segments.join('/')}`).kind,
        )
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError)
      }
    }),
  )
})

test('a parameter gives back what was encoded into it', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (value) => {
      fc.pre(value !== 'count')
      expect(find('GET', `/api/articles/${encodeURIComponent(value)}`)).toEqual(['/api/articles/:id', value])
    }),
  )
})

test('a path with an escape in its last segment, which is looked for in the tree, leads where the same without it does', () => {
  const segments = fc.array(fc.constantFrom('api', 'articles', 'count', 'comments', 'login', '7', ':id'), {
    minLength: 1,
    maxLength: 5,
  })
  fc.assert(
    fc.property(segments, fc.constantFrom('GET', 'PUT', 'X'), (parts, method) => {
      const path = `/${parts.join('/')}`
      const last = path.charCodeAt(path.length - 1).toString(16)
      expect(find(method, path)).toEqual(find(method, `${path.slice(0, -1)}%${last}`))
    }),
  )
})

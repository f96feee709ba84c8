// Finds the route for a method and path: exact paths first, then a tree of segments. Paths are
// case-sensitive; one trailing slash is accepted.

import { didYouMean } from '../lib/did-you-mean.ts'
import { ApiError, type Explanation } from '../lib/errors/api-error.ts'
import { InvariantError } from '../lib/errors/invariant.ts'
import type { Handler, Reply } from './reply.ts'
import type { Method, PathParameters, Route } from './route.ts'

export type Match =
  | { readonly kind: 'found'; readonly route: Route; readonly parameters: PathParameters }
  | { readonly kind: 'not-found' }
  /** The path exists; `allow` lists its methods as the `Allow` header does. */
  | { readonly kind: 'method-not-allowed'; readonly allow: string }

export interface Router {
  /** Throws BadRequestError on a path that cannot be decoded or that begins with two slashes. */
  match(method: string, path: string): Match
  /** Returns an existing path that was probably meant: `/api/recipes` for `/api/recipe`. */
  suggest(path: string): string | undefined
}

interface Endpoint {
  readonly routes: Map<string, Route>
  readonly found: Map<string, Match>
  notAllowed: Match
}

interface Segment {
  readonly literals: Map<string, Segment>
  parameter: Segment | undefined
  endpoint: Endpoint | undefined
}

const MAX_SHOWN_CHARACTERS = 200

const NO_PARAMETERS: PathParameters = []
const NOT_FOUND: Match = { kind: 'not-found' }
const ORDER: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Throws when two routes have the same method and path. */
export function createRouter(routes: readonly Route[]): Router {
  const root = segment()
  const exact = new Map<string, Endpoint>()
  // Keyed by the path before its last segment, the only parameter: `/api/articles/`.
  const lastIsParameter = new Map<string, Endpoint>()
  for (const route of routes) addRoute(root, exact, lastIsParameter, route)

  return {
    match(method, path) {
      const direct = exact.get(path)
      if (direct) return direct.found.get(method) ?? direct.notAllowed
      const last = path.lastIndexOf('/') + 1
      if (last < path.length && !path.includes('%', last)) {
        const entry = lastIsParameter.get(path.slice(0, last))
        if (entry !== undefined) return found(entry, method, [path.slice(last)])
      }
      if (path.startsWith('//')) throw new ApiError('BadRequestError', 'Malicious Path')
      if (!path.startsWith('/')) return NOT_FOUND
      const parts = decodedSegments(path)
      const parameters: string[] = []
      const endpoint = descend(root, parts, 0, parameters)
      if (!endpoint) return NOT_FOUND
      return found(endpoint, method, parameters)
    },
    suggest: (path) => suggestPath(root, decodedSegments(path)),
  }
}

function suggestPath(root: Segment, parts: readonly string[]): string | undefined {
  const corrected: string[] = []
  let place: Segment | undefined = root
  for (const part of parts) {
    const { literals }: Segment = place
    const word: string =
      literals.has(part) || place.parameter ? part : (nearestWord(part, [...literals.keys()]) ?? '')
    place = literals.get(word) ?? place.parameter
    if (place === undefined) return undefined
    corrected.push(word)
  }
  return place.endpoint === undefined ? undefined : `/${corrected.map(encodeURIComponent).join('/')}`
}

/** Prefers the plural of a word to another word. */
function nearestWord(word: string, words: readonly string[]): string | undefined {
  const stem = word.toLowerCase().slice(0, -1)
  const plural = words.find((one) => one.startsWith(stem) && /^.?(?:s|es|ies)$/.test(one.slice(stem.length)))
  return (stem.length > 1 ? plural : undefined) ?? didYouMean(word, words)
}

function found({ routes, notAllowed }: Endpoint, method: string, parameters: PathParameters): Match {
  const route = routes.get(method)
  return route ? { kind: 'found', route, parameters } : notAllowed
}

function segment(): Segment {
  return { literals: new Map(), parameter: undefined, endpoint: undefined }
}

function addRoute(
  root: Segment,
  exact: Map<string, Endpoint>,
  lastIsParameter: Map<string, Endpoint>,
  route: Route,
): void {
  const { method, path } = route
  const parts = path === '/' ? [] : path.slice(1).split('/')
  if (!path.startsWith('/') || parts.includes('')) throw new InvariantError(`not a route path: ${path}`)
  let place = root
  for (const part of parts) {
    if (part.startsWith(':')) {
      place.parameter ??= segment()
      place = place.parameter
    } else {
      const next = place.literals.get(part) ?? segment()
      place.literals.set(part, next)
      place = next
    }
  }
  place.endpoint ??= { routes: new Map(), found: new Map(), notAllowed: NOT_FOUND }
  const { endpoint } = place
  if (endpoint.routes.has(method)) throw new InvariantError(`two routes for ${method} ${path}`)
  respondToMethod(endpoint, method, route)
  if (method === 'GET') respondToMethod(endpoint, 'HEAD', route)
  endpoint.notAllowed = { kind: 'method-not-allowed', allow: getAllow(endpoint) }
  if (!path.includes('/:')) {
    exact.set(path, endpoint)
    if (path !== '/') exact.set(`${path}/`, endpoint)
  } else if (path.indexOf('/:') === path.lastIndexOf('/')) {
    lastIsParameter.set(path.slice(0, path.lastIndexOf('/') + 1), endpoint)
  }
}

function respondToMethod(endpoint: Endpoint, method: string, route: Route): void {
  endpoint.routes.set(method, route)
  endpoint.found.set(method, { kind: 'found', route, parameters: NO_PARAMETERS })
}

function getAllow(endpoint: Endpoint): string {
  const methods = ORDER.filter((method) => endpoint.routes.has(method))
  return (endpoint.routes.has('HEAD') ? ['HEAD', ...methods] : methods).join(', ')
}

/** Each segment is decoded once, after the split, so that `%2f` stays part of its value. */
function decodedSegments(path: string): string[] {
  const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length
  const parts = path.slice(1, end).split('/')
  if (!path.includes('%')) return parts[0] === '' && parts.length === 1 ? [] : parts
  return parts.map(decodeSegment)
}

function decodeSegment(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new ApiError('BadRequestError', 'failed to decode')
  }
}

/** A literal is tried first; when its branch has no match, the parameter is tried. Empty values never match. */
function descend(
  place: Segment,
  parts: readonly string[],
  index: number,
  parameters: string[],
): Endpoint | undefined {
  const part = parts[index]
  if (part === undefined) return place.endpoint
  const literal = place.literals.get(part)
  if (literal) {
    const endpoint = descend(literal, parts, index + 1, parameters)
    if (endpoint) return endpoint
  }
  if (!place.parameter || part === '') return undefined
  parameters.push(part)
  const endpoint = descend(place.parameter, parts, index + 1, parameters)
  if (!endpoint) parameters.pop()
  return endpoint
}

const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Throws ApiError when no route matches. */
export function routeHandler(router: Router): Handler {
  return (request) => {
    const match = router.match(request.method, request.path)
    if (match.kind === 'found') {
      request.route = match.route
      return match.route.handler(request, match.parameters)
    }
    if (request.method === 'OPTIONS')
      return optionsReply(match.kind === 'not-found' ? undefined : match.allow)
    if (match.kind === 'not-found')
      throw new ApiError('NotFoundError', 'Not Found').because(() => explainPath(router, request.path))
    const headers = { allow: match.allow }
    // As in Strapi, a GET of a path that has only routes for writes is a 404.
    if (request.method === 'GET' || request.method === 'HEAD')
      throw new ApiError('NotFoundError', 'Not Found', {}, headers)
    if (!KNOWN_METHODS.has(request.method))
      throw new ApiError('NotImplementedError', 'Not Implemented', {}, headers)
    throw new ApiError('MethodNotAllowedError', 'Method Not Allowed', {}, headers)
  }
}

function explainPath(router: Router, path: string): Explanation {
  const shown = path.slice(0, MAX_SHOWN_CHARACTERS)
  const meant = router.suggest(path)
  const message = `nothing is served at ${shown}`
  return meant === undefined ? { message } : { message: `${message}, did you mean ${meant}?` }
}

function optionsReply(allow: string | undefined): Reply {
  return {
    status: 200,
    headers: allow === undefined ? {} : { allow },
    body: '',
    contentType: 'text/plain; charset=utf-8',
  }
}

// Compares the requests that routes of a project answer. Names of parameters make no difference.

import type { Route } from './read-routes.ts'

type Request = Pick<Route, 'method' | 'path'>

export function isSameRequest(one: Request, other: Request): boolean {
  return sharesMethod(one, other) && splitPath(one.path).join('/') === splitPath(other.path).join('/')
}

/** Whether `route` answers all that `request` stands for: `/:kind` answers `/orders`. */
export function answersRequest(route: Request, request: Request): boolean {
  const [own, asked] = [splitPath(route.path), splitPath(request.path)]
  if (!sharesMethod(route, request) || own.length !== asked.length) return false
  return own.every((segment, index) => segment === ':' || segment === asked[index])
}

export function buildKey({ method, path }: Request): string {
  return `${method} ${splitPath(path).join('/')}`
}

/** Strapi has routes for `ALL` methods. */
function sharesMethod(one: Request, other: Request): boolean {
  return one.method === other.method || one.method === 'ALL' || other.method === 'ALL'
}

function splitPath(path: string): readonly string[] {
  return path.replace(/:\w+/g, ':').replace(/\/+$/, '').split('/')
}

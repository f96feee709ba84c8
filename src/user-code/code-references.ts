// Finds references to code in a configuration: `./file.ts` or `./file.ts#export`.

import type { Config, PolicyReference, RouteConfig } from '../config/config.ts'
import type { MiddlewareReference } from '../config/server-config.ts'
import type { DiagnosticPath } from '../lib/errors/diagnostic.ts'
import { isRecord } from '../lib/is-record.ts'
import type { EnabledPlugin } from '../plugins/plugin.ts'

export interface CodeReference {
  readonly text: string
  readonly path: DiagnosticPath
  /** Without `#name` and without a default export, a reference means all exports. */
  readonly whole?: boolean
  /** Nothing is reported if the file has no such export. */
  readonly optional?: boolean
}

export function listCodeReferences(
  config: Config,
  plugins: readonly EnabledPlugin[],
): readonly CodeReference[] {
  return [...references(config, plugins)]
}

export function isCode(text: string): boolean {
  return /^\.{0,2}\//.test(text)
}

function* references(config: Config, plugins: readonly EnabledPlugin[]): Generator<CodeReference> {
  const { settings, services, policies, middlewares, routes, extensions, graphql, contentTypes } = config
  for (const [name, text] of Object.entries(settings))
    if (typeof text === 'string' && isCode(text)) yield { text, path: ['settings', name], whole: true }
  for (const [uid, text] of Object.entries(services)) yield { text, path: ['services', uid], whole: true }
  for (const [name, policy] of Object.entries(policies)) {
    if (typeof policy === 'string') yield { text: policy, path: ['policies', name] }
  }
  for (const [name, text] of Object.entries(middlewares)) yield { text, path: ['middlewares', name] }
  for (const [index, middleware] of config.server.middlewares.entries())
    yield* ofOne(middleware, ['server', 'middlewares', index])
  for (const { sourceKey, lifecycles, rest } of Object.values(contentTypes)) {
    if (lifecycles !== undefined)
      yield { text: lifecycles, path: ['contentTypes', sourceKey, 'lifecycles'], whole: true }
    for (const [action, route] of Object.entries(rest.config)) {
      const path = ['contentTypes', sourceKey, 'rest', 'config', action]
      if (route.handler !== undefined) yield* ofHandler(route.handler, [...path, 'handler'])
      yield* ofRoute(route, path)
    }
  }
  for (const [index, route] of routes.entries()) {
    if (route.handler !== undefined) yield* ofHandler(route.handler, ['routes', index, 'handler'])
    yield* ofRoute(route, ['routes', index])
  }
  for (const { code = [] } of plugins) yield* code
  if (extensions !== undefined) yield { text: extensions, path: ['extensions'], whole: true }
  for (const [index, extension] of graphql.extensions.entries()) {
    const path = ['graphql', 'extensions', index]
    if (typeof extension === 'string') yield { text: extension, path }
    if (!isRecord(extension)) continue
    const { resolvers, resolversConfig } = extension
    if (typeof resolvers === 'string') yield { text: resolvers, path: [...path, 'resolvers'], whole: true }
    if (isRecord(resolversConfig)) yield* ofResolvers(resolversConfig, [...path, 'resolversConfig'])
  }
  yield* ofResolvers(graphql.resolversConfig, ['graphql', 'resolversConfig'])
}

/** `file#action` is an export, or an action of the controller that the file exports. */
function* ofHandler(text: string, path: DiagnosticPath): Generator<CodeReference> {
  const [file = '', action] = text.split('#')
  if (action === undefined) return yield { text, path }
  yield { text, path, optional: true }
  yield { text: file, path, whole: true }
}

function* ofResolvers(
  resolvers: Readonly<Record<string, unknown>>,
  path: DiagnosticPath,
): Generator<CodeReference> {
  for (const [key, route] of Object.entries(resolvers)) {
    if (isRecord(route)) yield* ofRoute(route as RouteConfig, [...path, key])
  }
}

function* ofRoute(
  { policies = [], middlewares = [] }: RouteConfig,
  path: DiagnosticPath,
): Generator<CodeReference> {
  for (const [index, policy] of policies.entries()) yield* ofOne(policy, [...path, 'policies', index])
  for (const [index, middleware] of middlewares.entries()) {
    yield* ofOne(middleware, [...path, 'middlewares', index])
  }
}

function* ofOne(
  reference: PolicyReference | MiddlewareReference,
  path: DiagnosticPath,
): Generator<CodeReference> {
  if (typeof reference === 'string') {
    if (isCode(reference)) yield { text: reference, path }
  } else if ('name' in reference && isCode(reference.name)) {
    yield { text: reference.name, path: [...path, 'name'] }
  }
}

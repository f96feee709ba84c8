// Refuses unknown actions, and undeclared policies and middlewares, in the router's options.

import type { OwnRouteConfig, RouteConfig } from '../../config/config.ts'
import { didYouMean } from '../../lib/did-you-mean.ts'
import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import { generatedActions } from '../actions.ts'
import { type CheckContext, formatSuggestion } from '../checking.ts'
import { getDeclaredName } from '../naming.ts'
import type { TypeSource } from '../type-source.ts'
import { checkPatterns } from './check-permissions.ts'

export function checkRoutes(checking: CheckContext): void {
  for (const type of checking.sources.types.values()) {
    const { only, except, config } = type.config.rest
    const path = [...type.path, 'rest']
    for (const [index, action] of (only ?? []).entries()) {
      checkAction(action, [...path, 'only', index], 'value', type, checking)
    }
    for (const [index, action] of (except ?? []).entries()) {
      checkAction(action, [...path, 'except', index], 'value', type, checking)
    }
    for (const [action, route] of Object.entries(config)) {
      const routePath = [...path, 'config', action]
      checkAction(action, routePath, 'key', type, checking)
      checkRoute(route, routePath, checking)
    }
  }
  checkOwnRoutes(checking.config.routes, checking)
}

function checkOwnRoutes(routes: readonly OwnRouteConfig[], checking: CheckContext): void {
  const seen = new Set<string>()
  for (const [index, route] of routes.entries()) {
    const path = ['routes', index]
    checkRoute(route, path, checking)
    const key = `${route.method} ${route.path.replaceAll(/:\w+/g, ':')}`
    if (seen.has(key)) {
      checking.fault('MOD073', [...path, 'path'], `another route answers ${route.method} ${route.path}`)
    }
    seen.add(key)
    checkPath(route, [...path, 'path'], checking)
  }
}

/** Own routes share the generated ones' prefix. */
function checkPath(route: OwnRouteConfig, path: DiagnosticPath, { config, fault }: CheckContext): void {
  const { prefix } = config.rest
  const served = `${prefix}${route.path}`
  if (route.path.startsWith(`${prefix}/`))
    fault('MOD074', path, `this route answers at ${served}`, {
      severity: 'warning',
      help: `paths of routes stand below "${prefix}": "${route.path.slice(prefix.length)}" answers at ${route.path}`,
    })
}

function checkAction(
  action: string,
  path: DiagnosticPath,
  at: 'key' | 'value',
  type: TypeSource,
  { fault }: CheckContext,
): void {
  const known: readonly string[] = generatedActions[type.config.kind]
  if (known.includes(action)) return
  const kind = type.config.kind === 'singleType' ? 'single type' : 'collection type'
  fault('MOD065', path, `a ${kind} has no action "${action}"`, {
    at,
    help: formatSuggestion(didYouMean(action, known), known),
  })
}

/** `rest.config.*` and `graphql.resolversConfig.*` have the same form. */
export function checkRoute(route: RouteConfig, path: DiagnosticPath, checking: CheckContext): void {
  const { config, fault, program } = checking
  if (typeof route.auth === 'object') {
    const scopePath = [...path, 'auth', 'scope']
    if (route.auth.scope.length === 0) {
      fault('MOD060', scopePath, 'an empty scope asks for no permission', {
        help: 'write "auth: false" for a route that is open to all',
      })
    }
    checkPatterns(route.auth.scope, scopePath, checking)
  }
  const named = [...Object.keys(config.policies), ...program.policies]
  const policies = { code: 'MOD066', what: 'policy', section: 'policies', known: named } as const
  for (const [index, policy] of (route.policies ?? []).entries()) {
    const policyPath = [...path, 'policies', index]
    if (typeof policy !== 'string' && 'cel' in policy === 'name' in policy) {
      fault('MOD072', policyPath, 'a policy is a name or an expression', {
        help: 'write "{ name: is-owner }" or "{ cel: \'state.user != null\' }"',
      })
    } else if (typeof policy === 'string' || 'name' in policy)
      checkReference(policy, policyPath, policies, checking)
  }
  const known = [...Object.keys(config.middlewares), ...program.middlewares]
  const kind = { code: 'MOD067', what: 'middleware', section: 'middlewares', known } as const
  for (const [index, middleware] of (route.middlewares ?? []).entries()) {
    checkReference(middleware, [...path, 'middlewares', index], kind, checking)
  }
}

interface ReferenceKind {
  readonly code: 'MOD066' | 'MOD067'
  readonly what: string
  readonly section: string
  readonly known: readonly string[]
}

/** Accepts a name in the section, or a file, which is checked when it is loaded. */
function checkReference(
  reference: string | { readonly name: string },
  path: DiagnosticPath,
  { code, what, section, known }: ReferenceKind,
  { fault }: CheckContext,
): void {
  const name = typeof reference === 'string' ? reference : reference.name
  if (/^\.{0,2}\//.test(name) || known.includes(getDeclaredName(name, known))) return
  const namePath = typeof reference === 'string' ? path : [...path, 'name']
  fault(code, namePath, `unknown ${what} "${name}"`, {
    help:
      known.length === 0
        ? `declare it under "${section}:", or name its file: ./${section}/${name}.ts`
        : formatSuggestion(didYouMean(getDeclaredName(name, known), known), known),
  })
}

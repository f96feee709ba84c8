// What a configuration may say already, and this version does not do yet. What would leave a door open that the author
// believes closed (a policy that never runs) is an error; what is only missing is a warning.

import type { Config, RouteConfig } from '../config/config.ts'
import type { Diagnostic } from '../errors/diagnostic.ts'

export function checkAvailable(config: Config): readonly Diagnostic[] {
  return [...routeOptions(config), ...plugins(config)]
}

function* routeOptions({ contentTypes }: Config): Generator<Diagnostic> {
  for (const { sourceKey, rest } of Object.values(contentTypes)) {
    for (const [action, route] of Object.entries(rest.config)) {
      for (const option of ['auth', 'policies', 'middlewares'] as const) {
        if (!isUsed(route, option)) continue
        yield {
          code: 'VER001',
          severity: 'error',
          path: ['contentTypes', sourceKey, 'rest', 'config', action, option],
          at: 'key',
          message: `"${option}" of a route is not available in this version`,
          help: 'take it out; permissions under auth.roles decide who may use a route',
        }
      }
    }
  }
}

function isUsed(route: RouteConfig, option: 'auth' | 'policies' | 'middlewares'): boolean {
  const value = route[option]
  return value !== undefined && !(Array.isArray(value) && value.length === 0)
}

const MISSING: Readonly<Record<string, string>> = {
  graphql: 'GraphQL is not served in this version',
}

function* plugins(config: Config): Generator<Diagnostic> {
  for (const [name, message] of Object.entries(MISSING)) {
    const plugin = Object.hasOwn(config.plugins, name) ? config.plugins[name] : undefined
    if (plugin?.enabled === true)
      yield { code: 'VER002', severity: 'warning', path: ['plugins', name], at: 'key', message }
  }
}

// What a configuration may say already, and this version does not do yet: a warning.

import type { Config } from '../config/config.ts'
import type { Diagnostic } from '../errors/diagnostic.ts'

export function checkAvailable(config: Config): readonly Diagnostic[] {
  return [...plugins(config)]
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

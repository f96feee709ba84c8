// Where a misplaced key belongs: `port:` at the top of the file is one of `server`.

import type { DiagnosticPath } from '../errors/diagnostic.ts'

/** A sentence, when exactly one section has such a key. */
export function homeOfKey(
  key: string,
  path: DiagnosticPath,
  schema: Readonly<Record<string, unknown>>,
): string | undefined {
  if (path.length > 0) return undefined
  const definitions = Object(schema['definitions'])
  const homes = ['server', 'rest', 'database', 'plugins', 'auth'].filter((section) =>
    Object.hasOwn(Object(definitions[section]?.properties), key),
  )
  const [home] = homes
  return homes.length === 1 && home !== undefined ? `"${key}" belongs under "${home}"` : undefined
}

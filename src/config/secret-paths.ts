// Which values of the configuration are secrets by their place: never shown in reports nor by print-config.

import type { DiagnosticPath } from '../errors/diagnostic.ts'

const SECRET_KEY =
  /^(?:(?:.*[a-z_])?(?:password|passwd|secret|token|tokenHash)|pass|jwtSecret|apiKey|accessKey|secretAccessKey|privateKey|credentials)$/i
const openSections: ReadonlySet<string> = new Set(['contentTypes', 'components', 'graphql', 'rest'])
const openConnectionKeys: ReadonlySet<string> = new Set(['host', 'port', 'database'])

/** `path` leads to a scalar. In the definition of a content-type, `password: …` names an attribute and is shown. */
export function isSecretPath(path: DiagnosticPath): boolean {
  const [section] = path
  if (typeof section === 'string' && openSections.has(section)) return isPasswordDefault(path)
  if (section === 'database' && path[1] === 'connection') {
    return path.length === 2 || !openConnectionKeys.has(String(path[2]))
  }
  return path.some((key) => typeof key === 'string' && SECRET_KEY.test(key))
}

function isPasswordDefault(path: DiagnosticPath): boolean {
  const [section, , part, name, key] = path
  if (section === 'graphql' || section === 'rest' || part !== 'attributes') return false
  return key === 'default' && typeof name === 'string' && SECRET_KEY.test(name)
}

// Decides by its path whether a value of the configuration is a secret.

import { measureDistance } from '../lib/did-you-mean.ts'
import type { DiagnosticPath } from '../lib/errors/diagnostic.ts'

const SECRET_KEY =
  /^(?:(?:.*[a-z_])?(?:password|passwd|secret|token|tokenHash)|pass|jwtSecret|apiKey|accessKey|secretAccessKey|privateKey|passphrase)$/i
/** Secrets whose names people mistype: the report of the typo `jwtScret` must not show its value. */
const MISTYPED = ['password', 'secret', 'jwtsecret', 'token', 'tokenhash', 'accesskey', 'secretaccesskey']

function namesSecret(key: string): boolean {
  const name = key.toLowerCase()
  return SECRET_KEY.test(key) || MISTYPED.some((secret) => measureDistance(name, secret, 1) <= 1)
}

const openSections: ReadonlySet<string> = new Set(['contentTypes', 'components', 'graphql', 'rest'])
const openConnectionKeys: ReadonlySet<string> = new Set(['host', 'port', 'database', 'ssl'])

/** `path` leads to a scalar. In the definition of a content-type, `password: …` names an attribute and is shown. */
export function isSecretPath(path: DiagnosticPath): boolean {
  const [section] = path
  if (typeof section === 'string' && openSections.has(section)) return isPasswordDefault(path)
  // The short form: a connection string instead of the section.
  if (section === 'database' && path.length === 1) return true
  if (section === 'database' && path[1] === 'connection') {
    return path.length === 2 || !openConnectionKeys.has(String(path[2])) || path.at(-1) === 'key'
  }
  // Headers of webhooks carry credentials.
  const webhooks = path.indexOf('webhooks')
  if (webhooks !== -1 && path[webhooks + 2] === 'headers') return true
  if (section === 'database' && path[1] === 'replicas') return path.length === 3
  // `secret` may be a content-type, and `tokens` an attribute.
  if (section === 'data') return path.slice(2).some((key) => typeof key === 'string' && SECRET_KEY.test(key))
  return path.some((key) => typeof key === 'string' && namesSecret(key))
}

function isPasswordDefault(path: DiagnosticPath): boolean {
  const [section, , part, name, key] = path
  if (section === 'graphql' || section === 'rest' || part !== 'attributes') return false
  return key === 'default' && typeof name === 'string' && SECRET_KEY.test(name)
}

const KEY_AND_VALUE = /(["']?)([A-Za-z_][\w-]*)\1[ \t]*:[ \t]+([^\s,}#][^,}\n]*)/g

/** Finds secrets in a text that could not be parsed: the rest of a line after the name of a secret. */
export function guessSecrets(text: string): readonly (readonly [start: number, end: number])[] {
  const ranges: [number, number][] = []
  for (const match of text.matchAll(KEY_AND_VALUE)) {
    const [whole, , key = '', value = ''] = match
    const end = match.index + whole.length
    const isUrl = key === 'database' && value.includes(':')
    if (namesSecret(key) || key === 'connection' || isUrl) ranges.push([end - value.length, end])
  }
  return ranges
}

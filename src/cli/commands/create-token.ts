// Shows a new API token once, and the lines to add to the file.

import { randomBytes } from 'node:crypto'
import { hashApiToken } from '../../access/api-tokens.ts'
import { parseDuration } from '../../lib/parse-units.ts'
import type { Invocation } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'

/** Too many to guess, even with a fast hash. */
const TOKEN_BYTES = 32

const TYPES: readonly string[] = ['read-only', 'full-access', 'custom']

/** Users add the lines to the file, and store the token with their secrets. */
export function createToken({ command, reporter }: Invocation): number {
  const { subject, flags } = command
  const fault = (message: string): number => reporter.fail(message, exitCodes.usage)
  const type = flags.type ?? 'read-only'
  if (subject === undefined) return fault('a token needs a name: cms-run token create front-end')
  if (!TYPES.includes(type)) return fault(`--type is ${TYPES.join(', ')}, not "${type}"`)
  const lifetime = flags.expires === undefined ? undefined : parseDuration(flags.expires)
  if (flags.expires !== undefined && (lifetime === undefined || lifetime === 0)) {
    return fault(`--expires is a length of time such as 90d, not "${flags.expires}"`)
  }
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const tokenHash = hashApiToken(token)
  const expiresAt = lifetime === undefined ? undefined : new Date(Date.now() + lifetime).toISOString()
  const keys = [
    `name: ${JSON.stringify(subject)}`,
    `type: ${type}`,
    ...(type === 'custom' ? ['permissions: []'] : []),
    ...(expiresAt === undefined ? [] : [`expiresAt: ${expiresAt}`]),
    `tokenHash: ${tokenHash}`,
  ]
  const lines = [
    '# the token, shown this once; send it as "Authorization: Bearer …"',
    `${token}\n`,
    '# for the file',
    `auth:\n  apiTokens:\n    - ${keys.join('\n      ')}\n`,
  ]
  const apiToken = { name: subject, type, tokenHash, expiresAt }
  reporter.result({ token, apiToken }, lines.join('\n'))
  return exitCodes.ok
}

// Prints new random secrets, as lines for `.env` or as files.

import { randomBytes } from 'node:crypto'
import type { Invocation } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'

const SECRET_BYTES = 32

const SECRETS = [
  { name: 'JWT_SECRET', key: 'jwtSecret' },
  { name: 'METRICS_TOKEN', key: 'server.metrics.token' },
  { name: 'POSTGRES_PASSWORD', key: 'database.connection.password' },
] as const

/** Writes only to standard output, so that existing secrets are not replaced. */
export function printSecrets({ reporter }: Invocation): number {
  const made = SECRETS.map(({ name, key }) => ({
    name,
    key,
    value: randomBytes(SECRET_BYTES).toString('base64url'),
  }))
  const lines = made.map(({ name, key, value }) => `# ${key}: '\${${name}}'\n${name}=${value}\n`)
  const text = `# for .env, which nobody else should be able to read (chmod 600)\n${lines.join('')}`
  reporter.result({ secrets: Object.fromEntries(made.map(({ name, value }) => [name, value])) }, text)
  return exitCodes.ok
}

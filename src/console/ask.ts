// Sends a request as a chosen caller and reports its statements with their plans.

import { performance } from 'node:perf_hooks'
import { ApiError } from '../lib/errors/api-error.ts'
import { type Database, run } from '../storage/database.ts'
import { statement } from '../storage/sql/statement.ts'
import type { ConsoleContext } from './console-context.ts'
import type { RequestResult, Statement } from './described.ts'
import type { RunStatement } from './traffic.ts'

/** Responses are shown, not streamed. */
const MAX_RESPONSE_BYTES = 2 * 1024 * 1024
const METHODS = ['GET', 'POST', 'PUT', 'DELETE']

/** `as`: `nobody`, `everything`, `role:editor`, `user:ann` or `token:front-end`. Undefined: no token. */
export async function readToken({ place, tokens }: ConsoleContext, as: string): Promise<string | undefined> {
  const [kind = '', name = ''] = as.split(/:(.*)/s)
  const { config, userToken } = place()
  if (as === 'nobody') return undefined
  if (as === 'everything') return tokens.everything()
  if (kind === 'role') {
    if (Object.hasOwn(config.auth.roles, name)) return tokens.getToken(name)
    throw new ApiError('ValidationError', `the file declares no role "${name}"`)
  }
  if (kind === 'user') {
    const token = await userToken(name)
    if (token !== undefined) return token
    throw new ApiError('ValidationError', `there is no user "${name}"`)
  }
  const named = config.auth.apiTokens.find((one) => kind === 'token' && one.name === name)
  if (named?.token !== undefined) return tokens.standInFor(name)
  throw new ApiError('ValidationError', `"${as}" is nobody that the file names with a token`)
}

export function createAsking(parts: ConsoleContext) {
  /** The statements of the run that made a cached response. */
  const ran = new Map<string, readonly Statement[]>()

  return async (question: Readonly<Record<string, unknown>>): Promise<RequestResult> => {
    const { as = 'everything', method = 'GET', path, body } = question
    if (typeof path !== 'string' || !path.startsWith('/') || path.startsWith('/_console'))
      throw new ApiError('ValidationError', 'path must be a path of the API')
    if (typeof as !== 'string' || typeof method !== 'string' || !METHODS.includes(method))
      throw new ApiError('ValidationError', `method must be one of ${METHODS.join(', ')}`)
    const token = await readToken(parts, as)
    const began = performance.now()
    const { result, statements } = await parts.traffic.record(async () => {
      const response = await parts.ask(path, {
        method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: response.status, text: (await response.text()).slice(0, MAX_RESPONSE_BYTES) }
    })
    const ms = performance.now() - began
    const key = JSON.stringify([as, method, path, body])
    const earlier = ran.get(key)
    const shown =
      statements.length === 0 && earlier !== undefined ? earlier : await explainAll(statements, parts)
    ran.delete(key)
    ran.set(key, shown)
    if (ran.size > 50) ran.delete([...ran.keys()][0] ?? '')
    return { ...result, ms, kept: statements.length === 0, statements: shown }
  }
}

function explainAll(
  statements: readonly RunStatement[],
  { database }: ConsoleContext,
): Promise<readonly Statement[]> {
  return Promise.all(
    statements.map(async ({ step, ms }) => ({
      sql: step.statement.text,
      ms,
      ...(await readPlan(database, step)),
    })),
  )
}

/** Returns the lines of the database's own plan, or why it gave none. */
async function readPlan(
  database: Database,
  { statement: { text }, values }: RunStatement['step'],
): Promise<Pick<Statement, 'plan' | 'withoutPlan'>> {
  // Plans of writes say little about slow parts; reads may begin with `with`.
  if (!/^\s*(?:select|with)\b/i.test(text)) return { withoutPlan: 'it writes: only reads are explained' }
  const { prefix, column } = database.dialect.explain
  const explaining = statement(`${prefix} ${text}`, true)
  try {
    const rows = await database.read(() => run(explaining, values), { single: true })
    return { plan: rows.map((row) => String(row.at(column))) }
  } catch (error) {
    return { withoutPlan: error instanceof Error ? error.message : String(error) }
  }
}

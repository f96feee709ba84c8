// Reads the body of an account request as texts, or throws all faults at once in Strapi's words.

import { describeWrongType } from '../../attribute-types/faults.ts'
import { parseBody } from '../../http/body/parse-body.ts'
import type { HttpRequest } from '../../http/request.ts'
import { createValidationErrors, type ErrorItem } from '../../lib/errors/api-error.ts'
import { isEmail, isPrintable } from '../../lib/is-email.ts'
import { buildRecord } from '../../lib/is-record.ts'

interface FieldRule {
  readonly name: string
  readonly minLength?: number
  readonly email?: true
  /** Must be one line without control characters: it appears in lists, logs and mails. */
  readonly printable?: true
  /** A given value must still follow the other rules. */
  readonly optional?: true
}

export type Body = Readonly<Record<string, unknown>>

/** The fields are at the top level of the body, not in `data`. */
export async function readBody(request: HttpRequest): Promise<Body> {
  const body = await parseBody(request)
  return body.kind === 'value' ? buildRecord(body.value) : {}
}

/** In the order of the rules; `repeats`: with the values, as in Strapi 5. */
export function listFaults(body: Body, rules: readonly FieldRule[], repeats: boolean): readonly ErrorItem[] {
  return rules.flatMap((rule) => {
    const value = own(body, rule.name)
    const message = buildFault(value, rule)
    if (message === undefined) return []
    const shown = repeats && value !== undefined && (!isSecret(rule.name) || value === '' || value === null)
    return [{ path: [rule.name], message, name: 'ValidationError', ...(shown && { value }) }]
  })
}

/** Whether responses never repeat the field's value. */
export function isSecret(name: string): boolean {
  return /password|code|confirmation/i.test(name)
}

/** Throws ValidationError with all faults. */
export function readTexts<N extends string>(
  body: Body,
  rules: readonly (FieldRule & { readonly name: N })[],
  repeats: boolean,
): Readonly<Record<N, string>> {
  const faults = listFaults(body, rules, repeats)
  if (faults.length > 0) throw createValidationErrors(faults)
  return Object.fromEntries(rules.map(({ name }) => [name, String(own(body, name))])) as Record<N, string>
}

/** Ignores inherited properties. */
export function own(body: Body, name: string): unknown {
  return Object.hasOwn(body, name) ? body[name] : undefined
}

/** Names, addresses and codes are shorter (RFC 5321 has 254 for an address). */
const MAX_FIELD_LENGTH = 2000

function buildFault(
  value: unknown,
  { name, minLength, email, printable, optional }: FieldRule,
): string | undefined {
  if (value === undefined) return optional === true ? undefined : `${name} is a required field`
  if (typeof value !== 'string') return describeWrongType(name, 'string', value, isSecret(name))
  if (value === '')
    return optional === true ? `${name} must be at least 1 characters` : `${name} is a required field`
  if (minLength !== undefined && value.trim().length < minLength) {
    return `${name} must be at least ${minLength} characters`
  }
  if (value.length > MAX_FIELD_LENGTH) return `${name} must be at most ${MAX_FIELD_LENGTH} characters`
  if (printable === true && !isPrintable(value)) return `${name} must not hold control characters`
  if (email === true && !isEmail(value)) return `${name} must be a valid email`
  return undefined
}

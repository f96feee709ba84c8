// Admits requests to the console: for this server's own name, and from its own pages.

import type { HttpRequest } from '../http/request.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { isLoopback } from '../lib/is-loopback.ts'
import { isSameSecret } from '../lib/is-same-secret.ts'
import { isUnboundName } from '../lib/is-unbound-name.ts'

export interface Door {
  /** Undefined in production, where people log in. */
  readonly key: string | undefined
  /** Whether other machines are allowed, which the file has to declare. */
  readonly remote: boolean
  /** Host names of this server, besides `localhost` and addresses. */
  readonly hosts: readonly string[]
}

/**
 * Throws ForbiddenError for another site's request: one for a name that is not this server's (DNS rebinding: an address
 * cannot be rebound), or one from a page of another origin.
 */
export function checkSite(request: HttpRequest, { remote, hosts }: Door): void {
  if (!remote && !isLoopback(request.address))
    throw forbidden('the console answers this machine only; write "console: true" into the file for others')
  const host = request.header('host')
  const name = hostName(host)
  const known = name !== undefined && (isUnboundName(name) || hosts.includes(name))
  if (!known)
    throw forbidden(
      `the console does not answer for the host "${host ?? ''}"; server.publicUrl names another`,
    )
  const origin = request.header('origin')
  if (origin !== undefined && !/^https?:\/\//.test(origin)) throw forbidden('the console has no other pages')
  if (origin !== undefined && origin.replace(/^https?:\/\//, '') !== host)
    throw forbidden(`the console does not answer pages of ${origin}`)
  if (request.header('sec-fetch-site') === 'cross-site' && request.header('sec-fetch-mode') !== 'navigate')
    throw forbidden('the console does not answer pages of other sites')
}

export function isKey(text: string, { key }: Door): boolean {
  return key !== undefined && isSameSecret(text, key)
}

function forbidden(message: string): ApiError {
  return new ApiError('ForbiddenError', message)
}

/** Without the port, and an IPv6 address without brackets. */
function hostName(host: string | undefined): string | undefined {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/.exec(host ?? '') ?? []
  return (bracketed ?? plain)?.toLowerCase()
}

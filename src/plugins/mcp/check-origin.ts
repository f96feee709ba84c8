// Refuses requests that a page of another site makes a browser send (MCP 2025-11-25, transports, security warning).

import type { ServerConfig } from '../../config/server-config.ts'
import type { HttpRequest } from '../../http/request.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import { isLoopback } from '../../lib/is-loopback.ts'
import { isUnboundName } from '../../lib/is-unbound-name.ts'

/**
 * Throws ForbiddenError for an origin that is neither this server nor named in `cors.origin`, and, for requests from this
 * machine outside production, for a host name that is not this server's: a foreign name can be bound to this machine's address.
 */
export function checkOrigin(request: HttpRequest, { environment, publicUrl, cors }: ServerConfig): void {
  // Browsers always name the host; requests within the process do not.
  const host = getHostName(`http://${request.header('host') ?? 'localhost'}`)
  const isOwn = (name: string | undefined): boolean =>
    name !== undefined && (isUnboundName(name) || name === getHostName(publicUrl ?? ''))
  if (environment !== 'production' && isLoopback(request.address) && !isOwn(host))
    throw new ApiError(
      'ForbiddenError',
      `this server does not answer for the host "${host ?? ''}": name it in server.publicUrl`,
    )
  const origin = request.header('origin')
  if (origin === undefined || [cors.origin].flat().includes(origin)) return
  const name = getHostName(origin)
  if (name === undefined || (name !== host && !(isUnboundName(name) && isLoopback(request.address))))
    throw new ApiError(
      'ForbiddenError',
      `pages of ${origin} may not use this address: name the origin in server.cors.origin`,
    )
}

function getHostName(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined
}

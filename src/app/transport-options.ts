// What every transport of a configuration is opened with.

import type { Config } from '../config/config.ts'
import { createHeaderSet, type HeaderSet } from '../http/header-set.ts'
import { securityHeaders } from '../http/security-headers.ts'

/** Longest request target in bytes. */
export const MOST_URL = 16_384

/** On the refusals that a transport makes before any handler sees the request. */
export function refusalHeaders(config: Config): HeaderSet {
  return createHeaderSet(securityHeaders(config.server.environment === 'production'))
}

// Names of hosts that nobody else's DNS server can bind to this machine (DNS rebinding).

import { isIP } from 'node:net'

/** `localhost`, or an IP address; an IPv6 address may have brackets. */
export function isUnboundName(name: string): boolean {
  return name === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) !== 0
}

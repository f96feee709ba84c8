// Addresses of this machine.

/** Accepts IPv4 addresses that are written as IPv6. */
export function isLoopback(address: string): boolean {
  return address === '::1' || address.replace(/^::ffff:/, '').startsWith('127.')
}

// Addresses of this machine.

/** Whether an IP address is of this machine itself; also one of IPv4 that is written as IPv6. */
export function isLoopback(address: string): boolean {
  return address === '::1' || address.replace(/^::ffff:/, '').startsWith('127.')
}

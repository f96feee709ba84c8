// Explains why no connection to a server could be made, by the codes of the system.

/** A message and its help. */
export type Explanation = readonly [message: string, help: string]

/** `place`: host and port, without user and password. Undefined for codes of the server's own. */
export function explainUnreachable(place: string, code: string | undefined): Explanation | undefined {
  switch (code) {
    case 'ECONNREFUSED':
      return [
        `no database server answers at ${place}: connection refused`,
        'start it, or correct host and port',
      ]
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return [`the database host of ${place} cannot be found`, 'correct the host']
    case 'ENOENT':
      return [`no database server listens on a socket in ${place}`, 'start it, or correct the path']
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return [`the database server at ${place} cannot be reached`, 'check the network, host and port']
    default:
      return undefined
  }
}

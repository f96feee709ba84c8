// Calls other servers: redirects are not followed, and a response that is too large or too late is an error.

export interface FetchBounds {
  readonly maxBytes: number
  /** Milliseconds for the whole response. */
  readonly timeoutMs: number
}

/** Rejects like `fetch`, and with Error for a response above the bounds. */
export async function fetchBounded(
  url: string,
  options: RequestInit,
  { maxBytes, timeoutMs }: FetchBounds,
): Promise<Response> {
  const response = await fetch(url, {
    redirect: 'error',
    ...options,
    signal: AbortSignal.timeout(timeoutMs),
  })
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response.body ?? []) {
    size += piece.length
    if (size > maxBytes) throw new Error('it is too large')
    pieces.push(piece)
  }
  const { status, headers } = response
  return new Response(size === 0 ? null : Buffer.concat(pieces), { status, headers })
}

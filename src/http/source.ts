// Sends commands' requests to a server, bounded in time and size.

export interface SourceResponse {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

export interface SourceRequest {
  readonly method: string
  /** Relative to the address of the source. */
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | undefined
  readonly signal?: AbortSignal
}

export interface Source {
  readonly url: string
  ask(asking: SourceRequest): Promise<SourceResponse>
  /** Returns undefined when the request does not succeed. */
  get(target: string, token?: string): Promise<unknown>
}

const MAX_RESPONSE_BYTES = 64 * 1024 * 1024
const TIMEOUT_MS = 30_000

/** Throws TypeError when the text is not a server's address. */
export function createSource(address: string): Source {
  const base = URL.canParse(address) ? new URL(address) : undefined
  if (base === undefined || !/^https?:$/.test(base.protocol))
    throw new TypeError(`"${address}" is no address of a server, such as http://localhost:1337`)
  if (base.username !== '' || base.password !== '')
    throw new TypeError('the address of the server must not have a password in it')
  const url = base.origin + base.pathname.replace(/\/+$/, '')
  const ask = async ({ method, target, headers, body, signal }: SourceRequest): Promise<SourceResponse> => {
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(url + target, {
      method,
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body }),
      // The caller follows redirects.
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
    return { status: response.status, headers: response.headers, bytes: await readBytes(response) }
  }
  return {
    url,
    ask,
    async get(target, token) {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
      try {
        const { status, bytes } = await ask({ method: 'GET', target, headers })
        return status === 200 ? JSON.parse(Buffer.from(bytes).toString()) : undefined
      } catch {
        return undefined
      }
    },
  }
}

async function readBytes(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > MAX_RESPONSE_BYTES)
      throw new Error(`the response is longer than ${MAX_RESPONSE_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** `fetch failed` alone does not say why. */
export function buildFault(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined }
  return cause instanceof Error && cause.message !== '' ? `${message}: ${cause.message}` : message
}

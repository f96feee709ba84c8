// Holds a handler's response while users' code may still change it.

import { JSON_TYPE, type Reply, type ReplyBody } from '../http/reply.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { isRecord } from '../lib/is-record.ts'

export class RestResponse {
  readonly headers = new Map<string, string>()
  /** Values of `set-cookie`. */
  readonly cookies: string[] = []
  type: string | undefined
  #status: number | undefined
  #taken: Reply | undefined
  /** A replaced body, or the handler's JSON, parsed on the first read. */
  #value: { value: unknown } | undefined

  take(reply: Reply): void {
    this.#taken = reply
    this.#value = undefined
    this.#status = undefined
  }

  get status(): number {
    return this.#status ?? this.#taken?.status ?? (this.#value === undefined ? 404 : 200)
  }

  set status(status: number) {
    if (!Number.isInteger(status) || status < 200 || status > 599)
      throw new TypeError(`not a status: ${status}`)
    this.#status = status
  }

  get body(): unknown {
    if (this.#value !== undefined) return this.#value.value
    const taken = this.#taken
    if (taken === undefined) return undefined
    if (taken.contentType !== JSON_TYPE || typeof taken.body !== 'string') return taken.body
    this.#value = { value: JSON.parse(taken.body) as unknown }
    return this.#value.value
  }

  set body(value: unknown) {
    this.#value = { value }
  }

  reply(): Reply {
    const cookies = [...(this.#taken?.cookies ?? []), ...this.cookies]
    const reply = this.#build()
    return cookies.length === 0 ? reply : { ...reply, cookies }
  }

  #build(): Reply {
    const headers = { ...this.#taken?.headers, ...Object.fromEntries(this.headers) }
    const { status } = this
    if (this.#value === undefined) {
      if (this.#taken === undefined) {
        if (this.#status === undefined) throw new ApiError('NotFoundError', 'Not Found')
        return { status, headers }
      }
      return { ...this.#taken, status, headers, contentType: this.type ?? this.#taken.contentType }
    }
    const { body, contentType } = encoded(this.#value.value)
    if (body === undefined) return { status: this.#status ?? 204, headers }
    return { status, headers, body, contentType: this.type ?? contentType }
  }
}

function encoded(value: unknown): { body: ReplyBody | undefined; contentType?: string } {
  if (value === undefined || value === null) return { body: undefined }
  if (typeof value === 'string') return { body: value, contentType: 'text/plain; charset=utf-8' }
  if (value instanceof Uint8Array) return { body: value, contentType: 'application/octet-stream' }
  if (isRecord(value) && typeof value['chunks'] === 'function' && typeof value['length'] === 'number') {
    return { body: value as unknown as ReplyBody, contentType: 'application/octet-stream' }
  }
  return { body: JSON.stringify(value), contentType: JSON_TYPE }
}

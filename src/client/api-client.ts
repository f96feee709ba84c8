// Calls Strapi's REST API over `fetch`; imports only files of this folder.

import type { ContentTypeShape, OfDocuments } from './content-shape.ts'
import type { DocumentCollection, DocumentSingle } from './document-routes.ts'
import type { ManyRoutes, SummaryRoutes } from './many-routes.ts'
import { queryText } from './query-text.ts'
import type { CallOptions, EntryCollection, EntrySingle } from './routes.ts'

export interface ClientOptions {
  readonly url: string | URL
  /** The path of all routes: `/api`. */
  readonly prefix?: string
  /** An API token, or the JWT of a login. */
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** In tests `cms.fetch`, which needs no network. */
  readonly fetch?: (url: string, init: FetchInit) => Promise<FetchResponse>
}

export interface FetchInit {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: string
  readonly signal?: AbortSignal
}

export interface FetchResponse {
  readonly ok: boolean
  readonly status: number
  readonly statusText: string
  readonly headers?: { get(name: string): string | null }
  text(): Promise<string>
}

export interface RequestOptions extends CallOptions {
  readonly query?: object | undefined
  /** Sent as JSON. */
  readonly body?: unknown
}

/** An error response. `name`, `message` and `details` are those of Strapi's error object. */
export class ApiError extends Error {
  readonly status: number
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, name: string, message: string, details: Readonly<Record<string, unknown>>) {
    super(message)
    this.status = status
    this.name = name
    this.details = details
  }
}

export type Collection<S extends ContentTypeShape> = ManyRoutes<S> &
  SummaryRoutes<S> &
  (S extends OfDocuments ? DocumentCollection<S> : EntryCollection<S>)

export type Single<S extends ContentTypeShape> = S extends OfDocuments ? DocumentSingle<S> : EntrySingle<S>

export interface BatchOperation {
  /** `article.create`. */
  readonly operation: string
  readonly id?: number | string
  readonly query?: object
  readonly data?: object
  readonly filters?: object
  readonly on?: string | readonly string[]
}

interface ManyOptions {
  readonly query: object | undefined
  readonly options: CallOptions | undefined
}

export interface Session<User> {
  readonly jwt: string
  readonly user: User
}

/** `Collections` maps plural names to content-types, `Singles` singular names. */
export class ApiClient<
  Collections extends Record<keyof Collections, ContentTypeShape>,
  Singles extends Record<keyof Singles, ContentTypeShape>,
  User,
> {
  /** Sent with every request. */
  token: string | undefined
  readonly #base: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #fetch: NonNullable<ClientOptions['fetch']>

  constructor({ url, prefix = '/api', token, headers = {}, fetch: given }: ClientOptions) {
    this.#base = String(url).replace(/\/+$/, '') + prefix
    this.#headers = headers
    this.#fetch = given ?? ((address, init) => fetch(address, init))
    this.token = token
  }

  /** Takes the plural name: `client.collection('articles').find()`. */
  collection<N extends keyof Collections & string>(
    name: N,
  ): Pick<Collection<Collections[N]>, keyof Collection<Collections[N]> & Collections[N]['actions']>
  collection(name: string): object {
    const one = (id: number | string): string => `/${name}/${encodeURIComponent(id)}`
    const many = (action: string, body: object, { query, options }: ManyOptions): Promise<never> =>
      this.request('POST', `/${name}/actions/${action}`, { ...options, query, body })
    const routes: EntryCollection<ContentTypeShape> &
      ManyRoutes<ContentTypeShape> &
      SummaryRoutes<ContentTypeShape> = {
      find: (query, options) => this.request('GET', `/${name}`, { ...options, query }),
      findOne: (id, query, options) => this.request('GET', one(id), { ...options, query }),
      create: (data, query, options) =>
        this.request('POST', `/${name}`, { ...options, query, body: { data } }),
      update: (id, data, query, options) =>
        this.request('PUT', one(id), { ...options, query, body: { data } }),
      delete: (id, query, options) => this.request('DELETE', one(id), { ...options, query }),
      aggregate: (query, options) => this.request('GET', `/${name}/aggregate`, { ...options, query }),
      count: (query, options) => this.request('GET', `/${name}/count`, { ...options, query }),
      createMany: (data, query, options) => many('create-many', { data }, { query, options }),
      updateMany: (filters, data, query, options) =>
        many('update-many', { filters, data }, { query, options }),
      deleteMany: (filters, query, options) => many('delete-many', { filters }, { query, options }),
      upsert: (on, data, query, options) => many('upsert', { on, data }, { query, options }),
      upsertMany: (on, data, query, options) => many('upsert-many', { on, data }, { query, options }),
    }
    return routes
  }

  /** Takes the singular name: `client.single('home').find()`. */
  single<N extends keyof Singles & string>(
    name: N,
  ): Pick<Single<Singles[N]>, keyof Single<Singles[N]> & Singles[N]['actions']>
  single(name: string): object {
    const path = `/${name}`
    const routes: EntrySingle<ContentTypeShape> = {
      find: (query, options) => this.request('GET', path, { ...options, query }),
      update: (data, query, options) => this.request('PUT', path, { ...options, query, body: { data } }),
      delete: (query, options) => this.request('DELETE', path, { ...options, query }),
    }
    return routes
  }

  /**
   * Several operations in one transaction: `{ operation: 'article.create', data }`. `$1.id` in later data is the id of the
   * first result. Returns the responses of the operations.
   */
  async batch(operations: readonly BatchOperation[], options?: CallOptions): Promise<readonly unknown[]> {
    const { data } = await this.request<{ readonly data: readonly unknown[] }>('POST', '/_batch', {
      ...options,
      body: { operations },
    })
    return data
  }

  /** Sends the user's token from then on. `identifier`: the name or the email address. */
  async login(body: { readonly identifier: string; readonly password: string }): Promise<Session<User>> {
    return this.#keep(await this.request<Session<User>>('POST', '/auth/local', { body }))
  }

  /** Registers a user and logs in; `jwt` is missing as long as the address must be confirmed. */
  async register(body: {
    readonly username: string
    readonly email: string
    readonly password: string
    readonly [attribute: string]: unknown
  }): Promise<Partial<Session<User>> & Pick<Session<User>, 'user'>> {
    const path = '/auth/local/register'
    return this.#keep(await this.request<Session<User>>('POST', path, { body }))
  }

  me(query?: object, options?: CallOptions): Promise<User> {
    return this.request('GET', '/users/me', { ...options, query })
  }

  /**
   * Resolves with the JSON of the response, undefined without a body. Rejects with `ApiError` when the status
   * is 400 or more, or when the body is not JSON.
   */
  async request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
    const { query = {}, body, signal, ifVersion, idempotencyKey } = options
    const text = queryText(query)
    const response = await this.#fetch(`${this.#base}${path}${text === '' ? '' : `?${text}`}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(this.token === undefined ? {} : { Authorization: `Bearer ${this.token}` }),
        ...(ifVersion === undefined ? {} : { 'If-Match': `"${ifVersion}"` }),
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
        ...this.#headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
    return withVersion(readAnswer(response, await response.text()), response) as T
  }

  #keep<S extends Partial<Session<User>>>(session: S): S {
    if (session.jwt !== undefined) this.token = session.jwt
    return session
  }
}

/** `"7"`, or of a cached response `"7-…"`. */
const ENTRY_TAG = /^"(\d+)(?:-[^"]*)?"$/

function withVersion(body: unknown, { headers }: FetchResponse): unknown {
  const [, version] = ENTRY_TAG.exec(headers?.get('etag') ?? '') ?? []
  if (version === undefined || typeof body !== 'object' || body === null) return body
  return Object.defineProperty(body, 'version', { value: Number(version) })
}

function readAnswer({ ok, status, statusText }: FetchResponse, text: string): unknown {
  let body: unknown
  try {
    body = text === '' ? undefined : JSON.parse(text)
  } catch {
    // A proxy's page, for example.
    throw new ApiError(status, 'UnreadableAnswer', `The response is not JSON: ${status} ${statusText}`, {})
  }
  if (ok) return body
  const { error } = (body ?? {}) as { error?: Partial<ApiError> }
  throw new ApiError(
    status,
    error?.name ?? 'Error',
    error?.message ?? `${status} ${statusText}`,
    error?.details ?? {},
  )
}

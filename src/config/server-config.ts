// The section `server` of the normalized configuration.

export type Environment = 'development' | 'staging' | 'production'

export type MiddlewareReference = string | { readonly name: string; readonly options?: unknown }

export interface ServerConfig {
  readonly host: string
  readonly port: number
  readonly publicUrl: string | undefined
  readonly environment: Environment
  readonly trustProxy: false | number | readonly string[]
  /** Of every request. */
  readonly middlewares: readonly MiddlewareReference[]
  readonly workers: number
  /** Milliseconds after which a worker that does not respond is replaced. */
  readonly workerTimeout: number
  readonly cors: CorsConfig
  readonly limits: {
    readonly body: number
    readonly upload: number
    readonly bodies: number
    readonly requestTimeout: number
    readonly bootstrap: number
    readonly keepAlive: number
    readonly drain: number
    /** Undefined: as many as the limit of open files allows. */
    readonly connections: number | undefined
    readonly unsent: number
    /** Undefined: half of the connections. */
    readonly streams: number | undefined
    /** Undefined: half of the streams. */
    readonly streamsPerAddress: number | undefined
    readonly requests: number
    /** Requests of one caller within an interval, in milliseconds; undefined: no limit. */
    readonly rate:
      | { readonly per: 'caller' | 'address'; readonly max: number; readonly interval: number }
      | undefined
    readonly subscriptions: {
      readonly connection: number
      readonly caller: number
      readonly server: number
    }
    /** Milliseconds; 0: no limit. */
    readonly eventLoopDelay: number
  }
  /** Undefined: responses are not disturbed. */
  readonly trouble: TroubleConfig | undefined
  /** Undefined: `/metrics` is off. `token` undefined: only requests from this machine are allowed. */
  readonly metrics: { readonly token: string | undefined } | undefined
  readonly log: {
    readonly level: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'
    readonly format: 'pretty' | 'json' | undefined
    /** A number is the logged share; undefined: only in development on a terminal. */
    readonly requests: boolean | number | undefined
  }
}

export interface CorsConfig {
  /** `'*'`: any origin, without credentials; a list: exactly these; `false`: no CORS headers. */
  readonly origin: '*' | readonly string[] | false
  readonly methods: readonly string[]
  readonly headers: readonly string[]
  readonly credentials: boolean
  readonly maxAge: number
}

export interface TroubleConfig {
  readonly seed: number
  readonly rules: readonly TroubleRule[]
}

/** Durations in milliseconds. */
export interface TroubleRule {
  readonly method: string | undefined
  /** `*` stands for any text. */
  readonly path: string | undefined
  /** From 0 to 1. */
  readonly rate: number
  /** Points of a distribution in ascending order, each a part from 0 to 1 of all requests and its latency. */
  readonly latency: readonly (readonly [at: number, milliseconds: number])[] | undefined
  readonly status: number | undefined
  readonly retryAfter: number | undefined
  readonly slow: number | undefined
  readonly lost: boolean
  readonly staleToken: boolean
}

// Work that a trace shows as a span of its own. Rooms mark it here; `observe/tracing/` follows it where OpenTelemetry is set up in
// the process. Elsewhere the work is called and nothing more. One for the process, as OpenTelemetry's own API is.

export interface SpanMaker {
  /** Within a request that is traced; `outgoing`: also where there is none, and the span is told to whom is asked. */
  span<T>(name: string, work: () => T, outgoing: boolean): T
  /** The headers that tell another service of the span that runs: W3C `traceparent` and what else is set up. */
  headers(): Readonly<Record<string, string>>
}

let maker: SpanMaker | undefined

export function traceWith(next: SpanMaker): void {
  maker = next
}

export function traced<T>(name: string, work: () => T): T {
  return maker === undefined ? work() : maker.span(name, work, false)
}

/** For requests to other services: `work` gets the headers to add. */
export function tracedOutgoing<T>(name: string, work: (headers: Readonly<Record<string, string>>) => T): T {
  const { span, headers } = maker ?? {}
  return span === undefined || headers === undefined ? work({}) : span(name, () => work(headers()), true)
}

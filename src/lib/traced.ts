// Marks work as a span of a trace, if the process uses OpenTelemetry.

export interface SpanMaker {
  /** With `outgoing`, also outside of a traced request. */
  span<T>(name: string, work: () => T, outgoing: boolean): T
  /** W3C `traceparent` and other configured headers. */
  headers(): Readonly<Record<string, string>>
}

let maker: SpanMaker | undefined

export function traceWith(next: SpanMaker): void {
  maker = next
}

export function traceWork<T>(name: string, work: () => T): T {
  return maker === undefined ? work() : maker.span(name, work, false)
}

/** `work` gets the headers to add to a request to another service. */
export function traceOutgoing<T>(name: string, work: (headers: Readonly<Record<string, string>>) => T): T {
  const { span, headers } = maker ?? {}
  return span === undefined || headers === undefined ? work({}) : span(name, () => work(headers()), true)
}

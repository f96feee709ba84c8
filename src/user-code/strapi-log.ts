// `strapi.log` for users' code.

import { format } from 'node:util'

type Write = (message: string) => void
/** As `console.log` writes them. */
type WriteMore = (...given: readonly unknown[]) => void

export interface OwnLog {
  readonly info: Write
  readonly warn: Write
  readonly error: Write
}

/** Strapi's levels; `http` is written as `info`, and `verbose`, `debug` and `silly` not at all. */
export type StrapiLog = Readonly<
  Record<'info' | 'warn' | 'error' | 'http' | 'verbose' | 'debug' | 'silly', WriteMore>
>

const MAX_LOG_CHARACTERS = 10_000

export function createStrapiLog(log: OwnLog): StrapiLog {
  const write =
    (line: Write): WriteMore =>
    (...given) =>
      line(format(...given).slice(0, MAX_LOG_CHARACTERS))
  const info = write((message) => log.info(message))
  const unwritten: WriteMore = () => {}
  return {
    info,
    warn: write((message) => log.warn(message)),
    error: write((message) => log.error(message)),
    http: info,
    ...{ verbose: unwritten, debug: unwritten, silly: unwritten },
  }
}

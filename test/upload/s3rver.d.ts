// The server of S3 that the tests talk to has no types of its own.
declare module 's3rver' {
  import type { AddressInfo } from 'node:net'

  export default class S3rver {
    constructor(options: Readonly<Record<string, unknown>>)
    run(): Promise<AddressInfo>
    close(): Promise<void>
  }
}

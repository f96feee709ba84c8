// Presents a request's headers as an object that reads values on access.

import type { HttpRequest } from './request.ts'

/** Accepts header names in any case. */
export function getHeaders(request: HttpRequest): Readonly<Record<string, string | undefined>> {
  const sent = (name: string | symbol): string | undefined =>
    typeof name === 'string' ? request.header(name.toLowerCase()) : undefined
  return new Proxy<Record<string, string | undefined>>(
    {},
    {
      get: (_target, name) => sent(name),
      ownKeys: () => [...request.headerNames()],
      has: (_target, name) => sent(name) !== undefined,
      getOwnPropertyDescriptor: (_target, name) => {
        const value = sent(name)
        return value === undefined
          ? undefined
          : { value, enumerable: true, configurable: true, writable: true }
      },
    },
  )
}

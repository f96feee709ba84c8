// uWebSockets.js as we use it, and how its binary is found: the official package where the user installed it, else the
// one from npm. The binary is opened directly; the JavaScript fallback that the npm package carries is never used.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { HeaderList } from './request-head.ts'

export interface UwsRequest {
  getUrl(): string
  /** Undefined in newer versions when there is none. */
  getQuery(): string | undefined
  /** Only right when asked before `getMethod`, which lowers the letters in place. */
  getCaseSensitiveMethod(): string
  forEach(visit: (name: string, value: string) => void): void
}

export interface UwsResponse {
  onAborted(listener: () => void): UwsResponse
  onData(listener: (chunk: ArrayBuffer, isLast: boolean) => void): UwsResponse
  onWritable(listener: (offset: number) => boolean): UwsResponse
  writeStatus(status: string): UwsResponse
  writeHeader(name: string, value: string): UwsResponse
  end(body: string | Uint8Array, close?: boolean): UwsResponse
  endWithoutBody(): UwsResponse
  /** One chunk of a body without a length; false: wait until the socket is writable. */
  write(chunk: Uint8Array): boolean
  tryEnd(body: Uint8Array, total: number): [ok: boolean, done: boolean]
  getWriteOffset(): number
  getRemoteAddressAsText(): ArrayBuffer
  cork(write: () => void): UwsResponse
  close(): UwsResponse
  /** Stops and goes on reading the body from the socket. */
  pause(): void
  resume(): void
}

declare const listenSocket: unique symbol
export interface UwsListenSocket {
  readonly [listenSocket]: true
}

export interface UwsApp {
  any(pattern: string, handler: (response: UwsResponse, request: UwsRequest) => void): UwsApp
  listen(host: string, port: number, options: number, done: (socket: UwsListenSocket | false) => void): UwsApp
  close(): UwsApp
}

export interface UwsBinding {
  App(): UwsApp
  us_listen_socket_close(socket: UwsListenSocket): void
  us_socket_local_port(socket: UwsListenSocket): number
  /** Ports may be shared between processes (SO_REUSEPORT). */
  readonly LIBUS_LISTEN_DEFAULT: number
  readonly LIBUS_LISTEN_EXCLUSIVE_PORT: number
}

let copied: string[] = []
function copyHeader(name: string, value: string): void {
  copied.push(name, value)
}

/** All headers of a request, names and values in turn; the request itself dies with the callback. */
export function copyHeaders(request: UwsRequest): HeaderList {
  copied = []
  request.forEach(copyHeader)
  return copied
}

let loaded: UwsBinding | undefined

/** Opens the binary for this Node; throws with the reasons when there is none that loads. */
export function loadUws(): UwsBinding {
  loaded ??= openBinary()
  return loaded
}

/** Bytes of head that a request may have where it arrives in pieces; the binary reads it when it is opened. */
const HEAD_LIMIT = '32768'

function openBinary(): UwsBinding {
  process.env['UWS_HTTP_MAX_HEADERS_SIZE'] ??= HEAD_LIMIT
  const reasons: string[] = []
  for (const file of binaryFiles()) {
    try {
      const addon: { exports: Partial<UwsBinding> } = { exports: {} }
      process.dlopen(addon, file)
      if (typeof addon.exports.App === 'function') return addon.exports as UwsBinding
      reasons.push(`${file} is not uWebSockets.js`)
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new Error(reasons.join('; ') || 'the package uWebSockets.js is not installed')
}

/** The binaries to try, the user's own package first. */
function binaryFiles(): string[] {
  const name = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`
  const files = new Set<string>()
  for (const from of [join(process.cwd(), 'package.json'), import.meta.url]) {
    try {
      const description = createRequire(from).resolve('uWebSockets.js/package.json')
      const official = JSON.parse(readFileSync(description, 'utf8')).name === 'uWebSockets.js'
      files.add(join(dirname(description), official ? '' : 'binaries', name))
    } catch {
      // not installed there; the next place is tried
    }
  }
  return [...files]
}

// Declares the used parts of uWebSockets.js and finds its binary: the user's official package first, then
// npm's, never its JavaScript fallback.

import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { HeaderList } from '../request-head.ts'

export interface UwsRequest {
  getUrl(): string
  /** Undefined in newer versions when there is no query. */
  getQuery(): string | undefined
  /** Correct only before the first call of `getMethod`, which turns the text into lower case in place. */
  getCaseSensitiveMethod(): string
  forEach(visit: (name: string, value: string) => void): void
}

export interface UwsResponse {
  onAborted(listener: () => void): UwsResponse
  onData(listener: (chunk: ArrayBuffer, isLast: boolean) => void): UwsResponse
  onWritable(listener: (offset: number) => boolean): UwsResponse
  writeStatus(status: string | Uint8Array): UwsResponse
  writeHeader(name: string, value: string): UwsResponse
  end(body: string | Uint8Array, close?: boolean): UwsResponse
  endWithoutBody(): UwsResponse
  /** False: wait until the socket drains. */
  write(chunk: Uint8Array): boolean
  tryEnd(body: string | Uint8Array, total: number): [ok: boolean, done: boolean]
  getWriteOffset(): number
  getRemoteAddressAsText(): ArrayBuffer
  cork(write: () => void): UwsResponse
  /** Calls `open` before it returns. Must be corked. */
  upgrade(data: object, key: string, protocol: string, extensions: string, context: UwsSocketContext): void
  close(): UwsResponse
  /** Control the reading of the request's body. */
  pause(): void
  resume(): void
}

declare const listenSocket: unique symbol
export interface UwsListenSocket {
  readonly [listenSocket]: true
}

declare const socketContext: unique symbol
export interface UwsSocketContext {
  readonly [socketContext]: true
}

/** The same object for all events of a socket; every call throws once it is closed. */
export interface UwsSocket {
  send(message: string, isBinary: boolean, compress: boolean): number
  end(code: number, reason: string): void
  /** Without a close frame. */
  close(): void
  getBufferedAmount(): number
}

export interface UwsSocketBehavior {
  readonly compression: number
  readonly maxPayloadLength: number
  readonly maxBackpressure: number
  readonly closeOnBackpressureLimit: boolean
  /** Seconds; pings are sent in time. */
  readonly idleTimeout: number
  upgrade(response: UwsResponse, request: UwsRequest, context: UwsSocketContext): void
  open(socket: UwsSocket): void
  message(socket: UwsSocket, message: ArrayBuffer, isBinary: boolean): void
  drain(socket: UwsSocket): void
  close(socket: UwsSocket): void
}

interface UwsApp {
  /** Matches GET requests with a WebSocket key, before other routes. */
  ws(pattern: string, behavior: UwsSocketBehavior): UwsApp
  any(pattern: string, handler: (response: UwsResponse, request: UwsRequest) => void): UwsApp
  listen(host: string, port: number, options: number, done: (socket: UwsListenSocket | false) => void): UwsApp
  close(): UwsApp
}

interface UwsBinding {
  App(): UwsApp
  us_listen_socket_close(socket: UwsListenSocket): void
  us_socket_local_port(socket: UwsListenSocket): number
  /** Ports may be shared (SO_REUSEPORT). */
  readonly LIBUS_LISTEN_DEFAULT: number
  readonly LIBUS_LISTEN_EXCLUSIVE_PORT: number
}

let copied: string[] = []
function copyHeader(name: string, value: string): void {
  copied.push(name, value)
}

/** The request object is invalid after the callback. */
export function copyHeaders(request: UwsRequest): HeaderList {
  copied = []
  request.forEach(copyHeader)
  return copied
}

let loaded: UwsBinding | undefined

/** Throws with the reasons when no binary loads. */
export function loadUws(): UwsBinding {
  loaded ??= openBinary()
  return loaded
}

/** Bytes of a head that arrives in pieces; read when the binary is opened. */
const MAX_HEAD_BYTES = '32768'

function openBinary(): UwsBinding {
  process.env['UWS_HTTP_MAX_HEADERS_SIZE'] ??= MAX_HEAD_BYTES
  const name = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`
  const reasons = new Set<string>()
  for (const folder of installedPackages()) {
    // The official package has its binaries beside its script, npm's in their own folder.
    const file = [join(folder, name), join(folder, '../binaries', name)].find(existsSync)
    if (file === undefined) {
      const { platform, arch, versions } = process
      reasons.add(`it has no binary for Node ${versions.node} on ${platform} ${arch}`)
      continue
    }
    try {
      const addon: { exports: Partial<UwsBinding> } = { exports: {} }
      process.dlopen(addon, file)
      if (typeof addon.exports.App === 'function') return addon.exports as UwsBinding
      reasons.add(`${name} is not uWebSockets.js`)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      reasons.add(message.replaceAll(file, name))
    }
  }
  throw new Error([...reasons].join('; ') || 'the package uWebSockets.js is not installed')
}

/** Not every package exports its package.json, so main scripts are looked up; the user's own come first. */
function installedPackages(): Set<string> {
  const folders = new Set<string>()
  for (const from of [join(process.cwd(), 'package.json'), import.meta.url]) {
    try {
      folders.add(dirname(createRequire(from).resolve('uWebSockets.js')))
    } catch {
      // Not installed there: the next location is tried.
    }
  }
  return folders
}

/** The npm package contains binaries for this version of Node. */
const BUNDLED_NODE_MAJOR = 20

/**
 * Releases by the first or last major version of Node that they support. Those from v20.55.0 on need glibc
 * 2.38 on Linux, so older ones are named where they work.
 */
const RELEASES: Readonly<Record<number, string>> = {
  20: 'v20.51.0',
  22: 'v20.51.0',
  23: 'v20.51.0',
  24: 'v20.52.0',
  25: 'v20.53.0',
  26: 'v20.67.0',
}

export function buildUwsAdvice(node: string): string {
  const major = Number.parseInt(node, 10)
  const release = RELEASES[major]
  const needs = major > 25 ? ' (on Linux it needs glibc 2.38: Debian 13, Ubuntu 24.04)' : ''
  const install =
    release === undefined ? undefined : `npm install uNetworking/uWebSockets.js#${release}${needs}`
  if (major === BUNDLED_NODE_MAJOR)
    return `for a platform that the package from npm has no binary for, install the official one: ${install}`
  if (install !== undefined) return `for Node ${major}, install the official package: ${install}`
  return `no release for Node ${major} is known; run Node ${BUNDLED_NODE_MAJOR}, or install the official package: npm install uNetworking/uWebSockets.js`
}

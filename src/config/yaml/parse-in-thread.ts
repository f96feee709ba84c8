// Parses large YAML in a thread: 20,000 keys would block requests for some 400 ms. Starting a thread takes 40
// ms, so small files are parsed without one.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { type ParsedYaml, parseYaml } from './parse-yaml.ts'
import { createSource } from './yaml-source.ts'
import type { YamlMessage } from './yaml-thread.ts'

/** Characters: about 50 ms of parsing. */
export const MIN_THREAD_CHARACTERS = 64 * 1024

export async function parseInThread(text: string, name: string): Promise<ParsedYaml> {
  if (text.length < MIN_THREAD_CHARACTERS) return parseYaml(text, name)
  const message = await readInThread(text).catch(() => undefined)
  if (message === undefined) return parseYaml(text, name)
  const { value, diagnostics, tree } = message
  return { value, diagnostics, source: createSource(name, text, tree === undefined ? undefined : () => tree) }
}

async function readInThread(text: string): Promise<YamlMessage> {
  const worker = await startThread({ workerData: text, execArgv: [] })
  try {
    return await new Promise<YamlMessage>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('the thread ended without a result')))
    })
  } finally {
    await worker.terminate()
  }
}

/** A built package contains the thread's script; a checkout bundles it from the sources, once. */
async function startThread(options: WorkerOptions): Promise<Worker> {
  const built = new URL('../yaml-thread.cjs', import.meta.url)
  if (existsSync(fileURLToPath(built))) return new Worker(built, options)
  script ??= bundledScript()
  return new Worker(await script, { ...options, eval: true })
}

let script: Promise<string> | undefined

async function bundledScript(): Promise<string> {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./yaml-thread.ts', import.meta.url))],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

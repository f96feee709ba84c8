// Records a running Strapi as cms.yaml with its data, and its responses as cases.yaml.

import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { checkConfig, isValid } from '../../app/check-config.ts'
import { checkSeed } from '../../app/check-seed.ts'
import { injectFetch } from '../../http/inject.ts'
import { openServer } from '../../http/open-server.ts'
import type { ServerOptions } from '../../http/server.ts'
import { buildFault, createSource, type Source } from '../../http/source.ts'
import { createRecorder, type Recorder } from '../../strapi/recording/recorder.ts'
import { writeRecording } from '../../strapi/recording/write-recording.ts'
import { type CaseFile, readCases } from '../../testing/cases/parse-cases.ts'
import { askStep, type CaseRequest, runCases } from '../../testing/cases/run-cases.ts'
import { openFor } from '../../testing/cases/test-cases.ts'
import { waitForEnd } from '../follow-edits.ts'
import type { Invocation } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'

const DEFAULT_PORT = 1338
const FOLDER = 'recorded'
/** In bytes and milliseconds. */
const LIMITS = {
  body: 16 * 1024 * 1024,
  upload: 16 * 1024 * 1024,
  bodies: 64 * 1024 * 1024,
  url: 16_384,
  requestTimeout: 60_000,
  keepAlive: 10_000,
}
const DRAIN_MS = 2000

export async function record(invocation: Invocation): Promise<number> {
  const { command, io, reporter } = invocation
  const { from = '', out = FOLDER, force, token, adminToken } = command.flags
  const folder = resolve(io.cwd, out)
  const files = ['cms.yaml', 'cases.yaml'].map((name) => join(folder, name))
  const there = files.find((file) => existsSync(file))
  if (there !== undefined && !force)
    return reporter.fail(
      `${join(out, basename(there))} is there already; --force replaces it, --out names another folder`,
    )
  let source: Source
  try {
    source = createSource(from)
    await source.ask({ method: 'GET', target: '/_health' })
  } catch (error) {
    return reporter.fail(
      error instanceof TypeError && !/fetch/.test(error.message)
        ? error.message
        : `${from} does not answer: ${buildFault(error)}`,
    )
  }
  const secrets = {
    token: token ?? io.env['STRAPI_TOKEN'],
    adminToken: adminToken ?? io.env['STRAPI_ADMIN_TOKEN'],
  }
  const recorder = await createRecorder({ source, ...secrets, progress: (text) => reporter.note(text) })
  const options: ServerOptions = {
    handler: recorder.handler,
    limits: LIMITS,
    onFault: (fault) => reporter.note(`a request could not be forwarded: ${buildFault(fault)}`),
  }
  const code =
    command.file === undefined
      ? await recordProxied(invocation, options)
      : await recordGiven(invocation, options, secrets.token)
  if (code !== undefined) return code
  return writeTo(out, recorder, source.url, invocation)
}

async function recordProxied(
  { command, io, reporter }: Invocation,
  options: ServerOptions,
): Promise<number | undefined> {
  const { port = DEFAULT_PORT, host = '127.0.0.1', from } = command.flags
  const server = await openServer({ ...options, transport: 'node' })
  try {
    const bound = await server.listen(port, host)
    reporter.note(`http://${host}:${bound.port} forwards to ${from}, and records; Ctrl-C ends it and writes`)
  } catch (error) {
    return reporter.fail(`cannot listen on ${host}:${port}: ${buildFault(error)}`)
  }
  await waitForEnd(io)
  await server.close(DRAIN_MS)
  return undefined
}

/** Sends requests of a file of cases, or of lines such as `GET /api/articles`. */
async function recordGiven(
  { command, io, reporter }: Invocation,
  options: ServerOptions,
  token: string | undefined,
): Promise<number | undefined> {
  const name = command.file ?? ''
  const cases = readGiven(resolve(io.cwd, name), name)
  reporter.report(cases.source, cases.diagnostics)
  if (cases.diagnostics.length > 0) return exitCodes.failed
  const steps = cases.cases.flatMap((one) => one.steps)
  if (token === undefined && steps.some((step) => step.kind === 'request' && step.as !== undefined))
    return reporter.fail('requests with "as" are made with an API token: --token, or STRAPI_TOKEN')
  const fetch = injectFetch(options)
  const asked: CaseRequest = {
    fetch,
    as: () => (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set('authorization', `Bearer ${token}`)
      return fetch(input, { ...init, headers })
    },
  }
  for (const one of cases.cases) {
    const captured = new Map<string, unknown>()
    for (const step of one.steps) {
      if (step.kind === 'advance') continue
      const failure = await askStep(asked, step, captured)
      if (failure === undefined) continue
      // The response is recorded nevertheless; the rest of the case may depend on it.
      for (const { message } of failure.diagnostics) reporter.note(`${one.name}: ${message}`)
      break
    }
  }
  return undefined
}

function readGiven(file: string, name: string): CaseFile {
  const cases = readCases(file, name)
  if (!name.endsWith('.txt') || !existsSync(file)) return cases
  const lines = readFileSync(file, 'utf8').split('\n')
  const paths = lines.flatMap((line) => /^\s*(?:GET\s+)?(\/\S*)\s*$/.exec(line)?.[1] ?? [])
  const step = {
    kind: 'request',
    path: [],
    method: 'GET',
    as: undefined,
    headers: {},
    send: undefined,
  } as const
  const given = paths.map((url) => ({
    name: url,
    steps: [{ ...step, url, status: undefined, body: undefined, capture: {} }],
  }))
  return { source: cases.source, config: undefined, clock: undefined, cases: given, diagnostics: [] }
}

/** Also runs the cases, to report differences to the recorded server at once. */
async function writeTo(
  out: string,
  recorder: Recorder,
  url: string,
  { io, reporter }: Invocation,
): Promise<number> {
  const folder = resolve(io.cwd, out)
  const written = writeRecording(
    await recorder.finish(),
    url,
    () => `only-for-tests-${randomBytes(12).toString('hex')}`,
  )
  mkdirSync(folder, { recursive: true })
  const [config, file] = [join(folder, 'cms.yaml'), join(folder, 'cases.yaml')]
  writeFileSync(config, written.config)
  writeFileSync(file, written.cases)
  for (const note of written.notes) reporter.note(note)
  const { counts } = written
  const checked = await checkSeed(await checkConfig({ file: config }, { env: io.env }))
  if (!isValid(checked)) {
    reporter.report(checked.source, checked.diagnostics)
    return reporter.fail(`${join(out, 'cms.yaml')} is written, and has to be corrected by hand`)
  }
  const cases = readCases(file, join(out, 'cases.yaml'))
  await using cms = await openFor(cases, file, { env: io.env })
  const results = await runCases(cms, cases.cases)
  const failed = results.filter(({ diagnostics }) => diagnostics.length > 0).length
  if (failed > 0)
    reporter.note(
      `${failed} of ${results.length} cases are answered otherwise here: cms-run test ${join(out, 'cases.yaml')} shows how`,
    )
  reporter.result(
    { folder: out, ...counts, passed: results.length - failed },
    `${counts.requests} requests in ${counts.cases} cases, ${counts.entries} entries of ${counts.types} content-types: ${out}\n`,
  )
  return exitCodes.ok
}

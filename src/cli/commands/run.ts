// Serves the file until a signal ends it.

import { spawn } from 'node:child_process'
import { serveFile } from '../../app/serve-file.ts'
import { followPrimary, joinWorkers } from '../../app/workers/serve-as-worker.ts'
import type { Log } from '../../observe/log/create-log.ts'
import { createProcessFaults } from '../../user-code/process-faults.ts'
import type { Invocation } from '../invocation.ts'
import { hasColors, type Io } from '../io.ts'
import { exitCodes } from '../reporter.ts'
import { offerInit } from './offer-init.ts'

export async function run(invocation: Invocation): Promise<number> {
  const { file, check, command, reporter, io } = invocation
  const { flags } = command
  const transport = io.env['CMS_RUN_TRANSPORT']
  if (transport !== undefined && transport !== 'uws' && transport !== 'node')
    return reporter.fail(`CMS_RUN_TRANSPORT is uws or node, not "${transport}"`, exitCodes.usage)
  if (!(await offerInit(invocation))) return exitCodes.failed
  // Signals may arrive during the start.
  let stopRequested = false
  let stop = (): void => {
    stopRequested = true
  }
  const forget = (['SIGTERM', 'SIGINT'] as const).map((name) => io.onSignal(name, () => stop()))

  let fail = (): void => {}
  const failed = new Promise<number>((resolve) => {
    fail = () => resolve(exitCodes.failed)
  })
  const faults = createProcessFaults({ err: io.err, end: () => fail() })
  forget.push(io.onFault(faults.take))

  const json = flags.format === 'json'
  let log: Log | undefined
  const port = joinWorkers(io.env)
  const starting = serveFile({
    file,
    check: port === undefined ? check : { ...check, overrides: { ...check.overrides, port } },
    watch: flags.watch,
    poll: flags.poll,
    reseed: flags.reseed,
    transport,
    workerPort: port,
    json,
    io: {
      out: io.out,
      fd: io.fd,
      err: io.err,
      report: reporter.report,
      fail: (message) => void reporter.fail(message),
      colors: hasColors(io),
      isTty: io.isTty,
    },
    async runCases(name, cases) {
      const { runCasesForAgent } = await import('../run-cases-for-agent.ts')
      return runCasesForAgent(name, cases, check.env)
    },
    opens: flags.open,
    onLog(opened, logFormat) {
      log = opened
      if (flags.format === 'text' && logFormat === 'json') reporter.toLog(opened)
      faults.logTo(opened)
    },
  })
  const server = await Promise.race([starting, failed]).catch((fault: unknown) => {
    faults.take(fault, 'uncaughtException')
    return failed
  })
  if (typeof server === 'number') return server
  if ('exitCode' in server) return server.exitCode
  if (log !== undefined) reporter.toLog(log)
  if (flags.open) openBrowser(server.firstUrl, io)

  forget.push(io.onSignal('SIGHUP', () => void server.reload()))
  const ended = new Promise<number>((resolve) => {
    const end = (): void => void server.stop().then(resolve, () => resolve(exitCodes.failed))
    let signals = 0
    stop = () => {
      signals += 1
      // A second signal ends the process without waiting for running requests.
      if (signals > 1) resolve(exitCodes.failed)
      else end()
    }
    // A signal to the process group reaches workers, too; the first process's `stop` is not a second signal.
    if (port !== undefined && 'contract' in server) followPrimary(server, end)
  })
  if (stopRequested) stop()
  const exitCode = await Promise.race([ended, failed])
  for (const one of forget) one()
  return exitCode
}

function openBrowser(url: string, io: Io): void {
  const command =
    process.platform === 'darwin' ? 'open' : process.platform === 'win32' ? 'explorer' : 'xdg-open'
  spawn(command, [url], { stdio: 'ignore', detached: true })
    .on('error', () => io.err(`cms-run: no browser to open ${url}\n`))
    .unref()
}

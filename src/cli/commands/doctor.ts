// Checks whether this machine can serve the file, and what would make it better.

import { checkConfig, isValid } from '../../app/check-config.ts'
import { checkSeed } from '../../app/check-seed.ts'
import type { Invocation } from '../invocation.ts'
import { hasColors } from '../io.ts'
import { exitCodes } from '../reporter.ts'
import {
  checkDatabase,
  checkFile,
  checkNode,
  checkPackages,
  checkPort,
  checkRuleIndexes,
  checkTransport,
  type Health,
} from './machine-checks.ts'

export async function doctor({ file, check, command, reporter, io }: Invocation): Promise<number> {
  const checked = await checkSeed(await checkConfig({ file }, check))
  const { config } = checked
  reporter.report(checked.source, checked.diagnostics)
  // Without a valid file, uses the flags and the defaults.
  const { port = 1337, host = '127.0.0.1' } = config?.server ?? command.flags
  const found: readonly Health[] = [
    checkNode(process.versions.node),
    checkFile(checked, command.file === undefined),
    await checkTransport(io.env['CMS_RUN_TRANSPORT']),
    await checkPort(port, host),
    ...(config === undefined ? [] : [await checkDatabase(config), ...checkPackages(config)]),
    ...(isValid(checked) ? checkRuleIndexes(checked) : []),
  ]
  const failed = found.some(({ state }) => state === 'failed')
  reporter.result({ checks: found }, () => found.map((each) => formatLine(each, hasColors(io))).join(''))
  return failed ? exitCodes.failed : exitCodes.ok
}

const colors = { ok: '32', note: '33', failed: '31' } as const

function formatLine({ state, name, message, help }: Health, colored: boolean): string {
  const mark = colored ? `\x1b[${colors[state]}m${state.padEnd(6)}\x1b[0m` : state.padEnd(6)
  const advice = help === undefined ? '' : `\n${' '.repeat(18)}${help}`
  return `${mark}  ${name.padEnd(9)} ${message}${advice}\n`
}

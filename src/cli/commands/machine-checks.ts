// Checks one requirement or improvement of a server per function.

import { createRequire } from 'node:module'
import type { CheckedConfig, ValidConfig } from '../../app/check-config.ts'
import { listenFailure } from '../../app/serving.ts'
import type { Config } from '../../config/config.ts'
import { listRuleScans } from '../../describe/rule-scans.ts'
import { probePort } from '../../http/probe-port.ts'
import { buildUwsAdvice } from '../../http/uws/uws-binding.ts'
import { testUws } from '../../http/uws/uws-self-test.ts'
import { ownPackage } from '../../lib/package-root.ts'
import { enablePlugins } from '../../plugins/plugin-host.ts'
import { OpenFailure } from '../../storage/database.ts'
import { inspectDatabase } from '../../storage/open-database.ts'
import { templateNames } from '../template-names.ts'

export interface Health {
  readonly name: 'node' | 'file' | 'transport' | 'port' | 'database' | 'package' | 'rule'
  /** `failed`: a start would fail. `note`: something could be better. */
  readonly state: 'ok' | 'note' | 'failed'
  readonly message: string
  readonly help?: string
}

/** `version`: as `20.19.0`. */
export function checkNode(version: string): Health {
  const wanted = ownPackage().manifest.engines?.['node'] ?? '>=0'
  if (wanted.split('||').some((range) => isIn(range, version)))
    return { name: 'node', state: 'ok', message: `Node ${version}` }
  const message = `Node ${version} is not supported by cms-run`
  return { name: 'node', state: 'failed', message, help: `install one of ${wanted}` }
}

/** Supports only the ranges `^20.19` and `>=22.12`. */
function isIn(range: string, version: string): boolean {
  const [, sign, least = '0', leastMinor = '0'] = /(\^|>=)(\d+)(?:\.(\d+))?/.exec(range) ?? []
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major === Number(least)) return minor >= Number(leastMinor)
  return sign === '>=' && major > Number(least)
}

export function checkFile({ source, config, diagnostics }: CheckedConfig, unnamed: boolean): Health {
  const { name } = source
  if (config !== undefined) {
    const warnings = diagnostics.length === 0 ? '' : `, with ${counted(diagnostics.length, 'warning')}`
    return { name: 'file', state: 'ok', message: `${name} is valid${warnings}` }
  }
  const missing = diagnostics.length === 1 && diagnostics[0]?.code === 'CFG001'
  if (missing && unnamed) {
    const templates = templateNames.join(', ')
    const help = `make one with: npx cms-run init (--template ${templates})`
    return { name: 'file', state: 'failed', message: `there is no ${name} in this folder`, help }
  }
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  return { name: 'file', state: 'failed', message: `${name} has ${counted(errors, 'error')}` }
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

export async function checkTransport(chosen: string | undefined): Promise<Health> {
  if (chosen === 'node')
    return { name: 'transport', state: 'note', message: 'node:http, as CMS_RUN_TRANSPORT says' }
  const reason = await testUws()
  if (reason === undefined) return { name: 'transport', state: 'ok', message: 'uWebSockets.js' }
  const help = buildUwsAdvice(process.versions.node)
  if (chosen === 'uws')
    return { name: 'transport', state: 'failed', message: `CMS_RUN_TRANSPORT is uws, but ${reason}`, help }
  return { name: 'transport', state: 'note', message: `node:http, which is slower: ${reason}`, help }
}

export async function checkPort(port: number, host: string): Promise<Health> {
  try {
    await probePort(port, host)
    const message = port === 0 ? 'any that is free' : `${port} on ${host} is free`
    return { name: 'port', state: 'ok', message }
  } catch (error) {
    return { name: 'port', state: 'failed', message: listenFailure(error, { port, host }) }
  }
}

export async function checkDatabase({ database, directory }: Config): Promise<Health> {
  try {
    return { name: 'database', state: 'ok', message: await inspectDatabase(database, directory) }
  } catch (error) {
    if (!(error instanceof OpenFailure)) throw error
    const [fault] = error.diagnostics
    const help = fault?.help === undefined ? {} : { help: fault.help }
    return { name: 'database', state: 'failed', message: error.message, ...help }
  }
}

/** Users install these packages themselves. */
export function checkPackages(config: Config): readonly Health[] {
  const { resolve } = createRequire(import.meta.url)
  return enablePlugins(config)
    .flatMap(({ packages }) => packages ?? [])
    .map(({ name, without, needed }): Health => {
      try {
        resolve(name)
        return { name: 'package', state: 'ok', message: `${name} is installed` }
      } catch {
        const message = `${name} is not installed: ${without}`
        return {
          name: 'package',
          state: needed ? 'failed' : 'note',
          message,
          help: `npm install ${name}`,
        }
      }
    })
}

export function checkRuleIndexes({ config, model, actions }: ValidConfig): readonly Health[] {
  return listRuleScans(config, model, actions).map((scan) => ({ name: 'rule', state: 'note', ...scan }))
}

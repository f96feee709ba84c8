// Runs cases as tests of vitest, node:test or jest, which have the same `test(name, run)`.

import { basename, dirname, resolve } from 'node:path'
import type { Cms, CmsOptions } from '../../app/cms.ts'
import { createCms } from '../../app/create-cms.ts'
import { formatReport } from '../../config/format-diagnostic.ts'
import { ConfigError } from '../../lib/errors/diagnostic.ts'
import { formatResult } from './format-result.ts'
import { type CaseFile, readCases } from './parse-cases.ts'
import { runCase } from './run-cases.ts'

export interface TestRunner {
  test(name: string, run: () => Promise<void>): unknown
  /** Where the instance is closed; `after` of node:test. */
  afterAll(run: () => Promise<void>): unknown
}

/** Declares a test for each case of a file. Throws ConfigError, whose message is the report, when the file has mistakes. */
export function testCases(file: string, { test, afterAll }: TestRunner, options: CmsOptions = {}): void {
  const cases = readCases(resolve(file), basename(file))
  if (cases.diagnostics.length > 0)
    throw new ConfigError(formatReport(cases.source, cases.diagnostics, { colors: false }), cases.diagnostics)
  let opened: Promise<Cms> | undefined
  for (const one of cases.cases)
    test(one.name, async () => {
      opened ??= openFor(cases, resolve(file), options)
      const result = await runCase(await opened, one)
      if (result.diagnostics.length > 0)
        throw new ConfigError(formatResult(cases.source, result, { colors: false }), result.diagnostics)
    })
  afterAll(async () => (await opened)?.close())
}

export function openFor(cases: CaseFile, file: string, options: CmsOptions): Promise<Cms> {
  const { clock } = cases
  return createCms(getConfig(cases, file), {
    testing: true,
    ...(clock === undefined ? {} : { clock: () => clock }),
    ...options,
    database: { client: 'memory', ...options.database },
  })
}

export function getConfig({ config }: CaseFile, file: string): string {
  return resolve(dirname(file), config ?? 'cms.yaml')
}

// Rewrites the file for another API version, and lists the changes that front ends need.

import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { checkConfig } from '../../app/check-config.ts'
import { setApiVersion } from '../../config/set-api-version.ts'
import {
  type ApiVersionDifference,
  listApiVersionDifferences,
} from '../../describe/api-version-differences.ts'
import type { Invocation } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'

const LOCALIZE = /(?:^|\.)createLocalization$/

export async function migrate({ file, check, command, reporter, io }: Invocation): Promise<number> {
  const { to, dryRun } = command.flags
  if (to !== 'strapi-5') return reporter.fail('migrate needs to know where to: --to strapi-5')
  const now = await checkConfig({ file }, check)
  if (now.config === undefined || now.model === undefined) {
    reporter.report(now.source, now.diagnostics)
    return exitCodes.failed
  }
  if (now.config.dialect === to) {
    reporter.result({ file, changed: false, differences: [] }, `${file} says "dialect: ${to}" already\n`)
    return exitCodes.ok
  }
  const path = resolve(io.cwd, file)
  const text = await readFile(path, 'utf8')
  const rewritten = setApiVersion(text, to, (word) => LOCALIZE.test(word))
  if (rewritten === undefined) return reporter.fail(`${file} cannot be rewritten: it is no map of keys`)
  // Beside the file, where its relative paths are the same.
  const trial = join(dirname(path), `.${basename(path, extname(path))}.${process.pid}${extname(path)}`)
  await writeFile(trial, rewritten.text, { flag: 'wx' })
  try {
    const next = await checkConfig({ file: trial }, check)
    if (next.config === undefined || next.model === undefined) {
      reporter.report(next.source, next.diagnostics)
      return reporter.fail(`${file} is as it was: correct the above in it first`)
    }
    if (!dryRun) await rename(trial, path)
    const differences = listApiVersionDifferences(next.config, next.model)
    const { dropped } = rewritten
    const says = dryRun ? `${file} would say` : `${file} now says`
    reporter.result({ file, changed: !dryRun, dropped, differences }, formatText(says, dropped, differences))
    return exitCodes.ok
  } finally {
    await rm(trial, { force: true })
  }
}

function formatText(
  says: string,
  dropped: readonly string[],
  differences: readonly ApiVersionDifference[],
): string {
  const lines = [
    `${says} "dialect: strapi-5".`,
    ...(dropped.length === 0
      ? []
      : [`Taken out, because a new locale is an update there: ${[...new Set(dropped)].join(', ')}.`]),
    'See what happens to a database that lasts with: cms-run plan',
    '',
    'Front ends have to change:',
    ...differences.flatMap(({ topic, before, now }) => [
      `  ${topic}`,
      `    was  ${before}`,
      `    now  ${now}`,
    ]),
  ]
  return `${lines.join('\n')}\n`
}

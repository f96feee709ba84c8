// Offers to write a configuration in a folder without one.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Invocation } from '../invocation.ts'
import { templateNames } from '../template-names.ts'
import { writeTemplate } from './init.ts'

export async function offerInit({ command, file, reporter, io }: Invocation): Promise<boolean> {
  const path = resolve(io.cwd, file)
  if (command.file !== undefined || existsSync(path)) return true
  const others = templateNames.slice(1).join(', ')
  const how = `make one with: npx cms-run init (a blog; --template ${others} for another)`
  if (io.ask !== undefined && command.flags.format === 'text') {
    const response = await io.ask(
      `There is no ${file} in this folder. Write one, a small blog, and serve it? [y/N] `,
    )
    if (/^y(es)?$/i.test(response.trim())) {
      const failure = await writeTemplate(templateNames[0], path, false)
      if (failure === undefined) return true
      reporter.fail(`${file} ${failure}`)
      return false
    }
  }
  reporter.fail(`there is no ${file} in this folder; ${how}`, undefined, 'CLI004')
  return false
}

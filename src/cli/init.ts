// `cms-run init`: writes a starter configuration that works unchanged. Never overwrites a file.

import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { exitCodes } from './exit-codes.ts'
import type { Invocation } from './invocation.ts'
import { starterConfig } from './starter-config.ts'

export async function init({ command, reporter, io }: Invocation): Promise<number> {
  const { file = 'cms.yaml', flags } = command
  try {
    await writeFile(resolve(io.cwd, file), starterConfig, { flag: 'wx' })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return reporter.fail(
      code === 'EEXIST' ? `${file} is there already` : `${file} cannot be written: ${message}`,
    )
  }
  if (flags.format === 'json') io.out(`${JSON.stringify({ file }, null, 2)}\n`)
  else io.out(`${file} is written; start it with: cms-run${file === 'cms.yaml' ? '' : ` ${file}`}\n`)
  return exitCodes.ok
}

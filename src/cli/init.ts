// `cms-run init`: a starter configuration that works as it stands. A file that is there is never touched.

import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { exitCodes } from './exit-codes.ts'
import type { Io } from './io.ts'
import type { Command } from './parse-arguments.ts'
import { starterConfig } from './starter-config.ts'

export async function init({ file = 'cms.yaml', flags }: Command, io: Io): Promise<number> {
  try {
    await writeFile(resolve(io.cwd, file), starterConfig, { flag: 'wx' })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    io.err(
      `cms-run: ${code === 'EEXIST' ? `${file} is there already` : `${file} cannot be written: ${message}`}\n`,
    )
    return exitCodes.failed
  }
  if (flags.format === 'json') io.out(`${JSON.stringify({ file }, null, 2)}\n`)
  else io.out(`${file} is written; start it with: cms-run${file === 'cms.yaml' ? '' : ` ${file}`}\n`)
  return exitCodes.ok
}

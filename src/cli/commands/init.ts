// Writes a template as a configuration. Replaces a file only with `--force`.

import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { ownPackage } from '../../lib/package-root.ts'
import type { Invocation } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'
import { type TemplateName, templateNames } from '../template-names.ts'

export async function init(invocation: Invocation): Promise<number> {
  const { command, reporter, io } = invocation
  const { file = 'cms.yaml', flags } = command
  const { template = templateNames[0] } = flags
  const failure = await writeTemplate(template, resolve(io.cwd, file), flags.force)
  if (failure !== undefined) return reporter.fail(`${file} ${failure}`)
  reporter.result(
    { file, template },
    `${file} is written; start it with: npx cms-run${file === 'cms.yaml' ? '' : ` ${file}`}\n`,
  )
  return exitCodes.ok
}

/** Returns the reason, as the end of a sentence, on failure. */
export async function writeTemplate(
  name: TemplateName,
  file: string,
  force: boolean,
): Promise<string | undefined> {
  const { folder, manifest } = ownPackage()
  const text = await readFile(join(folder, 'examples/templates', `${name}.yaml`), 'utf8')
  const schema = `$schema=${schemaFor(file, manifest.version)}`
  try {
    await writeFile(
      file,
      text.replace(/\$schema=\S+/, () => schema),
      { flag: force ? 'w' : 'wx' },
    )
    return undefined
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'EEXIST' ? 'is there already; --force replaces it' : `cannot be written: ${message}`
  }
}

/** The schema in the installed package, or else, as after `npx`, on the web. */
function schemaFor(file: string, version: string): string {
  const installed = './node_modules/cms-run/schemas/cms.schema.json'
  if (existsSync(join(dirname(file), installed))) return installed
  return `https://unpkg.com/cms-run@${version}/schemas/cms.schema.json`
}

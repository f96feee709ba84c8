// Writes a template as a configuration, and the page that tells agents how to work on it. Replaces files only with `--force`.

import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { ownPackage } from '../../lib/package-root.ts'
import type { Invocation } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'
import { type TemplateName, templateNames } from '../template-names.ts'

const AGENTS = 'AGENTS.md'
const IS_THERE = 'is there already; --force replaces it'

export async function init({ command: { flags }, file, reporter, io }: Invocation): Promise<number> {
  const { agents, force } = flags
  const agentsFile = join(dirname(file), AGENTS)
  const isThere = (name: string): boolean => existsSync(resolve(io.cwd, name))
  // Who asks for the page alone keeps the file, with `--force`, too.
  const keeps = agents && flags.template === undefined && isThere(file)
  const template = keeps ? undefined : (flags.template ?? templateNames[0])
  // Nothing is written if one of the two files is there.
  const found = [...(agents ? [agentsFile] : []), ...(keeps ? [] : [file])].find(isThere)
  if (found !== undefined && !force) return reporter.fail(`${found} ${IS_THERE}`)
  const lines: string[] = []
  if (template !== undefined) {
    const failure = await writeTemplate(template, resolve(io.cwd, file), force)
    if (failure !== undefined) return reporter.fail(`${file} ${failure}`)
    lines.push(`${file} is written; start it with: npx cms-run${file === 'cms.yaml' ? '' : ` ${file}`}`)
  }
  if (agents) {
    const failure = await writeAgentsPage(resolve(io.cwd, file), force)
    if (failure !== undefined) return reporter.fail(`${agentsFile} ${failure}`)
    lines.push(`${agentsFile} is written; it tells agents how to check, plan and test ${basename(file)}`)
  }
  reporter.result(
    { file, ...(template !== undefined && { template }), ...(agents && { agents: agentsFile }) },
    `${lines.join('\n')}\n`,
  )
  return exitCodes.ok
}

/** Returns the reason, as the end of a sentence, on failure. */
export async function writeTemplate(
  name: TemplateName,
  file: string,
  force: boolean,
): Promise<string | undefined> {
  const text = await readTemplate(`${name}.yaml`)
  const schema = `$schema=${findOwnFile('schemas/cms.schema.json', file)}`
  return write(
    file,
    text.replace(/\$schema=\S+/, () => schema),
    force,
  )
}

async function writeAgentsPage(file: string, force: boolean): Promise<string | undefined> {
  const text = (await readTemplate('agents.md'))
    .replace('{skill}', () => findOwnFile('skills/cms-run/SKILL.md', file))
    .replace('{index}', () => findOwnFile('llms.txt', file))
    .replaceAll('cms.yaml', () => basename(file))
  return write(join(dirname(file), AGENTS), text, force)
}

function readTemplate(name: string): Promise<string> {
  return readFile(join(ownPackage().folder, 'examples/templates', name), 'utf8')
}

async function write(file: string, text: string, force: boolean): Promise<string | undefined> {
  try {
    await writeFile(file, text, { flag: force ? 'w' : 'wx' })
    return undefined
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'EEXIST' ? IS_THERE : `cannot be written: ${message}`
  }
}

/** The path of the installed package, or else, as after `npx`, the address on the web. */
function findOwnFile(path: string, file: string): string {
  const installed = `./node_modules/cms-run/${path}`
  if (existsSync(join(dirname(file), installed))) return installed
  return `https://unpkg.com/cms-run@${ownPackage().manifest.version}/${path}`
}

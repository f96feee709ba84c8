// `cms-run import --strapi`: a Strapi 4 project's folder -> a configuration; an archive of its export -> a configuration,
// where there is none yet, and its content in that configuration's database.

import { existsSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ArchiveFault } from '../app/archive/archive-format.ts'
import { aloneWith, openForArchive } from '../app/archive/open-for-archive.ts'
import { openStoredFiles } from '../app/archive/open-stored-files.ts'
import { type Checked, type CheckOptions, checkConfig } from '../app/check-config.ts'
import { layoutOf } from '../app/compile-generation.ts'
import { permissionMatrix } from '../app/permission-matrix.ts'
import { type Loaded, loadExport } from '../app/strapi/load-export.ts'
import { makeConfig } from '../app/strapi/make-config.ts'
import { readExport } from '../app/strapi/read-export.ts'
import { readProject } from '../app/strapi/read-project.ts'
import { StrapiFault, type StrapiSource } from '../app/strapi/strapi-source.ts'
import { formatReport } from '../config/format-diagnostic.ts'
import { writeYaml } from '../config/write-yaml.ts'
import { UniqueViolation } from '../databases/database.ts'
import { LoadRefusal } from '../databases/load-tables.ts'
import type { Diagnostic } from '../errors/diagnostic.ts'
import { exitCodes } from './exit-codes.ts'
import { colorsOf, type Io } from './io.ts'
import type { Command } from './parse-arguments.ts'

export async function importStrapi(
  command: Command,
  file: string,
  options: CheckOptions,
  io: Io,
): Promise<number> {
  const given = command.flags.strapi ?? ''
  const path = resolve(io.cwd, given)
  const say = (message: string): void => io.err(`cms-run: ${message}\n`)
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) throw new StrapiFault('there is no such file or folder')
    if (given.endsWith('.enc'))
      throw new StrapiFault('it is encrypted: make it again with strapi export --no-encrypt')
    if (stat.isDirectory()) return await importProject(await readProject(path), file, options, io)
    const source = await readExport(path)
    if (!existsSync(resolve(io.cwd, file)) && !(await made(source, file, options, io)))
      return exitCodes.failed
    return await importContent({ archive: path, file, options, command, io })
  } catch (error) {
    if (error instanceof StrapiFault || error instanceof ArchiveFault)
      say(`${given} cannot be imported: ${error.message}`)
    else if (error instanceof LoadRefusal)
      say(error.full ? `${error.message}; --replace drops all that cms-run made in it first` : error.message)
    else if (error instanceof UniqueViolation)
      say(
        `${given} cannot be imported: entries of ${error.table} have the same ${error.columns.join(' and ')}`,
      )
    else throw error
    return exitCodes.failed
  }
}

async function importProject(
  source: StrapiSource,
  file: string,
  options: CheckOptions,
  io: Io,
): Promise<number> {
  if (existsSync(resolve(io.cwd, file))) {
    io.err(`cms-run: ${file} is there already; name another file with --into\n`)
    return exitCodes.failed
  }
  const right = await made(source, file, options, io)
  io.err(
    'cms-run: for the content: strapi export --no-encrypt, then cms-run import --strapi with the archive\n',
  )
  return right ? exitCodes.ok : exitCodes.failed
}

/** Writes the configuration, and says what of it is not right yet. */
async function made(source: StrapiSource, file: string, options: CheckOptions, io: Io): Promise<boolean> {
  const bare = await checkConfig({ object: makeConfig({ ...source, roles: [] }).config }, options)
  const actions =
    bare.config === undefined || bare.model === undefined
      ? undefined
      : new Set(permissionMatrix(bare.config, bare.model).actions)
  const { config, notes } = makeConfig(source, (action) => actions === undefined || actions.has(action))
  await writeFile(resolve(io.cwd, file), writeYaml(config), { flag: 'wx' })
  for (const note of notes) io.err(`cms-run: ${note}\n`)
  const checked = await checkConfig({ file }, options)
  report(checked, checked.diagnostics, io)
  if (checked.config === undefined) {
    io.err(`cms-run: ${file} is written, and has to be corrected by hand; then import again\n`)
    return false
  }
  io.err(`cms-run: ${file} is written\n`)
  return true
}

interface ContentParts {
  readonly archive: string
  readonly file: string
  readonly options: CheckOptions
  readonly command: Command
  readonly io: Io
}

async function importContent({ archive, file, options, command, io }: ContentParts): Promise<number> {
  const checked = await checkConfig({ file }, options)
  const { config, model } = checked
  if (config === undefined || model === undefined) {
    report(checked, checked.diagnostics, io)
    return exitCodes.failed
  }
  if (config.database.client === 'memory') {
    io.err('cms-run: the database is in memory: what is imported would be gone with this command\n')
    return exitCodes.failed
  }
  const database = await openForArchive(config, false)
  if ('diagnostics' in database) {
    report(checked, database.diagnostics, io)
    return exitCodes.failed
  }
  try {
    const { replace, format } = command.flags
    const files = await openStoredFiles(config)
    const layout = layoutOf(model)
    const done = await aloneWith(database, () =>
      loadExport({ archive, database, model, layout, files, replace }),
    )
    if (format === 'json') io.out(`${JSON.stringify({ config: file, ...done }, null, 2)}\n`)
    else tell(done, io)
    return exitCodes.ok
  } finally {
    await database.close()
  }
}

function tell({ entries, links, files, leftOut, danglingLinks }: Loaded, io: Io): void {
  for (const [type, count] of Object.entries(leftOut)) {
    if (!type.startsWith('admin::'))
      io.err(`cms-run: ${count} of ${type} are left out: the configuration has no such type\n`)
  }
  if (danglingLinks > 0) io.err(`cms-run: ${danglingLinks} links to entries that are gone are left out\n`)
  const count = Object.values(entries).reduce((sum, one) => sum + one, 0)
  io.out(`${count} entries of ${Object.keys(entries).length} content-types, ${links} links, ${files} files\n`)
}

function report(checked: Checked, diagnostics: readonly Diagnostic[], io: Io): void {
  io.err(formatReport(checked.source, diagnostics, { colors: colorsOf(io) }))
}

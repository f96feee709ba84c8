// Creates a configuration from a Strapi 4 or 5 project; from an archive of Strapi's export, also loads the
// content.

import { existsSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { checkConfig } from '../../app/check-config.ts'
import { openStoredFiles } from '../../app/open-stored-files.ts'
import type { ApiVersion } from '../../config/config.ts'
import { databaseClients } from '../../config/database-clients.ts'
import { writeYaml } from '../../config/yaml/write-yaml.ts'
import { ArchiveFault } from '../../storage/archive/archive-format.ts'
import { openForArchive } from '../../storage/archive/open-for-archive.ts'
import { UniqueViolation } from '../../storage/database.ts'
import { LoadRefusal } from '../../storage/load-tables.ts'
import { buildLayout } from '../../storage/sql/build-layout.ts'
import { findGuards } from '../../strapi/import/code/find-guards.ts'
import { guardEverything } from '../../strapi/import/guards.ts'
import { type ImportReport, NOTE_GROUPS, type NoteGroup } from '../../strapi/import/import-notes.ts'
import { formatMisfit, type LoadResult, loadExport } from '../../strapi/import/load-export.ts'
import { readExport } from '../../strapi/import/read-export.ts'
import { isProject, readSettings } from '../../strapi/import/read-project.ts'
import { StrapiFault } from '../../strapi/import/strapi-source.ts'
import type { Invocation } from '../invocation.ts'
import { exitCodes, type Reporter } from '../reporter.ts'
import { checkImport } from './check-import.ts'
import { type ConvertedSource, convertProject, convertSource, getCarrying } from './convert-source.ts'
import { copyCode } from './copy-code.ts'

export async function importStrapi(invocation: Invocation): Promise<number> {
  const { file, command, reporter, io } = invocation
  const given = command.flags.strapi ?? ''
  const path = resolve(io.cwd, given)
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) throw new StrapiFault('there is no such file or folder')
    if (given.endsWith('.enc'))
      throw new StrapiFault('it is encrypted: make it again with strapi export --no-encrypt')
    if (command.flags.comparesOnly) {
      if (stat.isDirectory()) return await checkImport(path, invocation)
      throw new StrapiFault('--check reads the folder of a project')
    }
    if (stat.isDirectory()) return await importProject(path, invocation)
    const source = await readExport(path)
    let report: ImportReport | undefined
    if (!existsSync(resolve(io.cwd, file))) {
      const folder = await findProject(path, invocation)
      const guards =
        folder === undefined
          ? guardEverything(WITHOUT_PROJECT)
          : await findGuards(folder, source.contentTypes, getCarrying(invocation, source))
      const settings = folder === undefined ? undefined : await readSettings(folder)
      const whole = { ...source, ...settings, notes: [...source.notes, ...(settings?.notes ?? [])] }
      report = await writeConverted(await convertSource(whole, guards, invocation), folder, invocation)
      if (report === undefined) return exitCodes.failed
    }
    return await importContent(path, source.apiVersion, report, invocation)
  } catch (error) {
    if (error instanceof StrapiFault || error instanceof ArchiveFault)
      return reporter.fail(`${given} cannot be imported: ${error.message}`)
    if (error instanceof LoadRefusal)
      return reporter.fail(
        error.full ? `${error.message}; --replace drops all that cms-run made in it first` : error.message,
      )
    if (error instanceof UniqueViolation)
      return reporter.fail(
        `${given} cannot be imported: entries of ${error.table} have the same ${error.columns.join(' and ')}`,
      )
    throw error
  }
}

async function importProject(folder: string, invocation: Invocation): Promise<number> {
  const { file, reporter, io } = invocation
  if (existsSync(resolve(io.cwd, file)))
    return reporter.fail(`${file} is there already; name another file with --into`)
  const report = await writeConverted(await convertProject(folder, invocation), folder, invocation)
  reporter.note('for the content: strapi export --no-encrypt, then cms-run import --strapi with the archive')
  if (report === undefined) return exitCodes.failed
  reporter.result({ config: file, report }, '')
  return exitCodes.ok
}

/** Without a project, its code may guard everything. */
const WITHOUT_PROJECT =
  'an export has no code, and that of its project may guard every request (--project names its folder)'

/** The folder of the project that an export is of: named, or the one that it lies in. */
async function findProject(archive: string, { command, io }: Invocation): Promise<string | undefined> {
  const { project } = command.flags
  const folder = project === undefined ? dirname(archive) : resolve(io.cwd, project)
  if (await isProject(folder)) return folder
  if (project !== undefined) throw new StrapiFault(`${project} is not the folder of a Strapi project`)
  return undefined
}

const HEADINGS: Readonly<Record<NoteGroup, string>> = {
  closed: 'closed, because code that is not taken guards it:',
  missing: 'missing, to be carried over by hand where it is needed:',
  different: 'works in another way:',
  taken: 'taken as it stands:',
}

/** Resolves with the report, or undefined if the configuration is not valid. */
async function writeConverted(
  { config, comments, report }: ConvertedSource,
  folder: string | undefined,
  { file, check, command, reporter, io }: Invocation,
): Promise<ImportReport | undefined> {
  if (command.flags.copies && folder !== undefined)
    await copyCode(config, folder, dirname(resolve(io.cwd, file)))
  await writeFile(resolve(io.cwd, file), writeYaml(config, undefined, comments), { flag: 'wx' })
  for (const group of NOTE_GROUPS) {
    if (report[group].length > 0) reporter.note(HEADINGS[group])
    for (const text of report[group]) reporter.note(`  ${text}`)
  }
  const checked = await checkConfig({ file }, { ...check, loadsCode: false })
  reporter.report(checked.source, checked.diagnostics)
  if (checked.config === undefined) {
    reporter.fail(`${file} is written, and has to be corrected by hand; then import again`)
    return undefined
  }
  reporter.note(`${file} is written`)
  return report
}

async function importContent(
  archive: string,
  apiVersion: ApiVersion,
  report: ImportReport | undefined,
  invocation: Invocation,
): Promise<number> {
  const { file, check, command, reporter } = invocation
  const checked = await checkConfig({ file }, { ...check, loadsCode: false })
  const { config, model } = checked
  if (config === undefined || model === undefined) {
    reporter.report(checked.source, checked.diagnostics)
    return exitCodes.failed
  }
  if (!databaseClients[config.database.client].keepsContent)
    return reporter.fail('the database is in memory: what is imported would be gone with this command')
  const database = await openForArchive(config, false)
  if ('diagnostics' in database) {
    reporter.report(checked.source, database.diagnostics)
    return exitCodes.failed
  }
  try {
    const { replace, onMisfit } = command.flags
    const files = await openStoredFiles(config, checked.own.env)
    const layout = buildLayout(model)
    const done = await database.exclusively(() =>
      loadExport({
        ...{ archive, apiVersion, database, model, layout, files, replace },
        skipsMisfits: onMisfit !== 'stop',
        progress: (count) => reporter.note(`${count} entries are loaded`),
      }),
    )
    noteLeftOut(done, reporter)
    await keepMisfits(done, invocation)
    const { entries, links, files: fileCount } = done
    const count = Object.values(entries).reduce((sum, one) => sum + one, 0)
    const types = Object.keys(entries).length
    reporter.result(
      { config: file, ...done, misfits: done.misfits.length, ...(report !== undefined && { report }) },
      `${count} entries of ${types} content-types, ${links} links, ${fileCount} files\n`,
    )
    return exitCodes.ok
  } finally {
    await database.close()
  }
}

const SHOWN_MISFITS = 20

/** With `--on-misfit text`, as lines of JSON beside the configuration. */
async function keepMisfits(
  { misfits }: LoadResult,
  { file, command, reporter, io }: Invocation,
): Promise<void> {
  if (misfits.length === 0) return
  for (const misfit of misfits.slice(0, SHOWN_MISFITS))
    reporter.note(`${formatMisfit(misfit)}: it is left out`)
  if (misfits.length > SHOWN_MISFITS)
    reporter.note(`and ${misfits.length - SHOWN_MISFITS} more values are left out`)
  if (command.flags.onMisfit !== 'text') return
  const kept = `${file.replace(/\.ya?ml$/, '')}.misfits.jsonl`
  await writeFile(resolve(io.cwd, kept), misfits.map((misfit) => `${JSON.stringify(misfit)}\n`).join(''))
  reporter.note(`${kept} has the values that are left out`)
}

function noteLeftOut({ leftOut, danglingLinks, madeDrafts }: LoadResult, reporter: Reporter): void {
  for (const [type, count] of Object.entries(leftOut)) {
    if (!type.startsWith('admin::'))
      reporter.note(`${count} of ${type} are left out: the configuration has no such type`)
  }
  if (danglingLinks > 0) reporter.note(`${danglingLinks} links to entries that are gone are left out`)
  if (madeDrafts > 0)
    reporter.note(`${madeDrafts} published versions had no draft: each got one that is equal to it`)
}

// Lists the parts of a Strapi project that its configuration lacks.

import { checkConfig, isValid } from '../../app/check-config.ts'
import { findNewCode } from '../../strapi/import/check/new-code.ts'
import { ADDITION_GROUPS, type Addition, findNewSchemas } from '../../strapi/import/check/new-schemas.ts'
import { findRelatedNotes } from '../../strapi/import/check/related-notes.ts'
import type { Invocation } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'
import { convertProject } from './convert-source.ts'

type NotedAddition = Addition & { readonly notes: readonly string[] }

export async function checkImport(folder: string, invocation: Invocation): Promise<number> {
  const { file, check, reporter } = invocation
  const known = await checkConfig({ file }, { ...check, loadsCode: false })
  if (!isValid(known)) {
    reporter.report(known.source, known.diagnostics)
    return exitCodes.failed
  }
  const { checked: made, report } = await convertProject(folder, invocation)
  if (!isValid(made)) {
    reporter.report(made.source, made.diagnostics)
    return reporter.fail('what an import would write today is not valid, so it cannot be compared')
  }
  const additions = [...findNewSchemas(made, known), ...findNewCode(made.config, known.config)]
  const noted = additions.map((one) => ({ ...one, notes: findRelatedNotes(one, report) }))
  reporter.result({ new: noted, report }, () => formatText(noted, file))
  return noted.length === 0 ? exitCodes.ok : exitCodes.failed
}

const HEADINGS: Readonly<Record<Addition['group'], string>> = {
  contentTypes: 'content-types',
  components: 'components',
  attributes: 'attributes',
  routes: 'routes',
  code: 'code',
}

function formatText(additions: readonly NotedAddition[], file: string): string {
  const lines = ADDITION_GROUPS.flatMap((group) => {
    const found = additions.filter((one) => one.group === group)
    return found.length === 0 ? [] : [`${HEADINGS[group]}:`, ...found.flatMap(formatLines)]
  })
  const count = additions.length
  const summary =
    count === 0 ? 'has all of the project' : `lacks ${count} ${count === 1 ? 'thing' : 'things'}`
  return `${[...lines, `${file} ${summary}`].join('\n')}\n`
}

function formatLines({ message, notes }: NotedAddition): readonly string[] {
  return [`  ${message}`, ...notes.map((note) => `    ${note}`)]
}

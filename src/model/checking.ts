// Declares the input of the model's checks, and their way to report faults (docs/reference/errors.md, section
// "Model").

import type { Config } from '../config/config.ts'
import { MAX_SHOWN_LENGTH } from '../config/describe-value.ts'
import type { Diagnostic, DiagnosticPath, Report } from '../lib/errors/diagnostic.ts'
import type { ModelContribution } from './contribution.ts'
import type { SchemaDrafts } from './schema-drafts.ts'
import type { Sources } from './type-source.ts'

export interface CheckContext {
  readonly config: Config
  /** Only of enabled plugins. */
  readonly contributions: readonly ModelContribution[]
  readonly sources: Sources
  readonly schemas: SchemaDrafts
  readonly actions: ReadonlySet<string>
  readonly fault: Fault
  readonly program: ProgramRegistrations
}

/** Looks for one kind of fault; build-model.ts lists the model's checks. */
export type ModelCheck = (checking: CheckContext) => void

export function isPluginOn({ contributions }: Pick<CheckContext, 'contributions'>, name: string): boolean {
  return contributions.some(({ plugin }) => plugin === name)
}

/** The file may use these without declaring them. */
export interface ProgramRegistrations {
  readonly policies: readonly string[]
  readonly middlewares: readonly string[]
  readonly registers: boolean
}

export const noProgram: ProgramRegistrations = { policies: [], middlewares: [], registers: false }

/** Reports an error, or a warning when `more` says so. */
export type Fault = (code: ModelCode, path: DiagnosticPath, message: string, more?: FaultDetails) => void

interface FaultDetails {
  readonly help?: string | undefined
  readonly at?: Diagnostic['at'] | undefined
  readonly severity?: Diagnostic['severity']
  readonly within?: Diagnostic['within']
}

export function createFault(report: Report): Fault {
  return (code, path, message, { help, at, within, severity = 'error' } = {}) =>
    report({
      code,
      severity,
      path,
      message,
      ...(at === undefined ? {} : { at }),
      ...(within === undefined ? {} : { within }),
      ...(help === undefined ? {} : { help }),
    })
}

/** Each has a paragraph in docs/reference/errors.md; retired codes stay. */
export const modelCodes = [
  'MOD001',
  'MOD002',
  'MOD003',
  'MOD004',
  'MOD005',
  'MOD006',
  'MOD007',
  'MOD008',
  'MOD009',
  'MOD010',
  'MOD011',
  'MOD020',
  'MOD021',
  'MOD022',
  'MOD023',
  'MOD024',
  'MOD025',
  'MOD026',
  'MOD027',
  'MOD028',
  'MOD029',
  'MOD030',
  'MOD031',
  'MOD033',
  'MOD034',
  'MOD035',
  'MOD036',
  'MOD040',
  'MOD041',
  'MOD042',
  'MOD043',
  'MOD044',
  'MOD046',
  'MOD047',
  'MOD050',
  'MOD051',
  'MOD052',
  'MOD053',
  'MOD054',
  'MOD060',
  'MOD061',
  'MOD062',
  'MOD063',
  'MOD064',
  'MOD065',
  'MOD066',
  'MOD067',
  'MOD068',
  'MOD069',
  'MOD070',
  'MOD071',
  'MOD072',
  'MOD073',
  'MOD074',
  'MOD080',
  'MOD081',
  'MOD082',
  'MOD083',
  'MOD084',
  'MOD085',
  'MOD086',
  'MOD087',
  'MOD088',
  'MOD089',
  'MOD090',
  'MOD091',
  'MOD092',
  'MOD093',
  'MOD094',
  'MOD095',
  'MOD096',
  'MOD097',
  'MOD098',
  'MOD099',
  'MOD101',
  'MOD102',
  'MOD103',
  'MOD104',
  'MOD105',
  'MOD110',
  'MOD111',
  'MOD112',
] as const

/** `DBS012` was found in databases at first, and kept its code. */
type ModelCode = (typeof modelCodes)[number] | 'DBS012'

/** Lists the valid names when none is near, if they fit on a line. */
export function formatSuggestion(near: string | undefined, known: Iterable<string>): string | undefined {
  if (near !== undefined) return `did you mean "${near}"?`
  const names = [...new Set(known)].map((name) => `"${name}"`)
  if (names.length === 0) return undefined
  if (names.length === 1) return `there is only ${names[0]}`
  const shown = names.slice(0, 6).join(', ')
  return names.length > 6 ? `one of ${shown} and ${names.length - 6} more` : `one of ${shown}`
}

export function showValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > MAX_SHOWN_LENGTH + 4 ? `${text.slice(0, MAX_SHOWN_LENGTH + 1)}...` : text
}

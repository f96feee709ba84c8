// Declares the commands of the command line as they were parsed.

import type { CommandName } from './command-names.ts'
import type { TemplateName } from './template-names.ts'

export interface Command {
  readonly name: CommandName
  /** Undefined: `cms.yaml`, then `cms.yml`. */
  readonly file: string | undefined
  /** `token create`: the name of the token; `import`: the archive. */
  readonly subject?: string
  readonly flags: Flags
}

export interface Flags {
  readonly port: number | undefined
  readonly host: string | undefined
  readonly env: EnvironmentName | undefined
  readonly watch: boolean
  readonly poll: boolean
  readonly reseed: boolean
  readonly open: boolean
  readonly workers: number | undefined
  readonly format: 'text' | 'json' | 'github'
  readonly type?: string
  readonly expires?: string
  readonly exitCode: boolean
  /** `export`: the archive; `backup`: the copy; `migrate`: the API version. */
  readonly to?: string
  readonly into?: string
  /** A Strapi project's folder, or an archive of Strapi's export. */
  readonly strapi?: string
  readonly project?: string
  /** `import --strapi`: what happens to values that do not fit their attributes. */
  readonly onMisfit: Misfits
  readonly from?: string
  readonly against?: string
  /** An API token of the server, and the token of an administrator. */
  readonly token?: string
  readonly adminToken?: string
  readonly user?: string
  readonly username?: string
  readonly email?: string
  readonly role?: string
  readonly generate: boolean
  /** `types`, `client`: the file; `test`: the report for a build server; `record`: the folder. */
  readonly out?: string
  readonly as?: string
  readonly explain?: string
  /** `--watch`. */
  readonly follow: boolean
  readonly replace: boolean
  /** `import --strapi --check`. */
  readonly comparesOnly: boolean
  /** `import --strapi --copy`. */
  readonly copies: boolean
  readonly template?: TemplateName
  readonly force: boolean
  readonly agents: boolean
  readonly dryRun: boolean
}

export const misfits = ['stop', 'skip', 'text'] as const
type Misfits = (typeof misfits)[number]

export const environments = ['development', 'staging', 'production'] as const
type EnvironmentName = (typeof environments)[number]

export type ParseResult = { readonly command: Command } | { readonly fault: string }

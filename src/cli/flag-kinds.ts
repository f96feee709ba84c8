// The flags there are: which take a value, and which mean something to some commands only.

import type { CommandName } from './command-names.ts'

type FlagKind = 'text' | 'switch'

export const flagKinds: Readonly<Record<string, FlagKind>> = {
  port: 'text',
  host: 'text',
  env: 'text',
  workers: 'text',
  format: 'text',
  type: 'text',
  expires: 'text',
  to: 'text',
  into: 'text',
  strapi: 'text',
  'no-watch': 'switch',
  poll: 'switch',
  reseed: 'switch',
  open: 'switch',
  json: 'switch',
  'exit-code': 'switch',
  replace: 'switch',
  help: 'switch',
  version: 'switch',
}
/** Flags that mean something to some commands only. */
export const flagHomes: Readonly<
  Record<string, { readonly commands: readonly CommandName[]; readonly usage: string }>
> = {
  type: { commands: ['token'], usage: 'token create' },
  expires: { commands: ['token'], usage: 'token create' },
  'exit-code': { commands: ['plan'], usage: 'plan' },
  to: { commands: ['export', 'backup'], usage: 'export' },
  into: { commands: ['import'], usage: 'import' },
  strapi: { commands: ['import'], usage: 'import' },
  replace: { commands: ['import'], usage: 'import' },
}

export const shortFlags: Readonly<Record<string, string>> = { h: 'help', v: 'version', p: 'port' }

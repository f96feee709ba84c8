// Declares all flags: their values, and the commands that take them.

import type { ParseArgsConfig } from 'node:util'
import type { CommandName } from './command-names.ts'

type FlagKind = NonNullable<ParseArgsConfig['options']>[string]

const text = { type: 'string' } as const
const onOff = { type: 'boolean' } as const

export const flagKinds: Readonly<Record<string, FlagKind>> = {
  port: { ...text, short: 'p' },
  host: text,
  env: text,
  workers: text,
  format: text,
  type: text,
  expires: text,
  to: text,
  into: text,
  strapi: text,
  project: text,
  'on-misfit': text,
  out: text,
  template: text,
  as: text,
  explain: text,
  from: text,
  against: text,
  token: text,
  'admin-token': text,
  user: text,
  username: text,
  email: text,
  role: text,
  'no-watch': onOff,
  watch: onOff,
  poll: onOff,
  reseed: onOff,
  open: onOff,
  generate: onOff,
  json: onOff,
  'exit-code': onOff,
  replace: onOff,
  check: onOff,
  copy: onOff,
  force: onOff,
  agents: onOff,
  'dry-run': onOff,
  help: { ...onOff, short: 'h' },
  version: { ...onOff, short: 'v' },
}
export const flagHomes: Readonly<
  Record<string, { readonly commands: readonly CommandName[]; readonly usage: string }>
> = {
  type: { commands: ['token'], usage: 'token create' },
  expires: { commands: ['token'], usage: 'token create' },
  'exit-code': { commands: ['plan'], usage: 'plan' },
  to: { commands: ['export', 'backup', 'migrate'], usage: 'export' },
  into: { commands: ['import'], usage: 'import' },
  strapi: { commands: ['import'], usage: 'import' },
  project: { commands: ['import'], usage: 'import --strapi' },
  'on-misfit': { commands: ['import'], usage: 'import --strapi' },
  out: { commands: ['types', 'client', 'test', 'record'], usage: 'types' },
  watch: { commands: ['types', 'client', 'test'], usage: 'types' },
  replace: { commands: ['import'], usage: 'import' },
  check: { commands: ['import'], usage: 'import --strapi' },
  copy: { commands: ['import'], usage: 'import --strapi' },
  as: { commands: ['permissions', 'mcp'], usage: 'permissions' },
  explain: { commands: ['permissions'], usage: 'permissions' },
  template: { commands: ['init'], usage: 'init' },
  agents: { commands: ['init'], usage: 'init' },
  force: { commands: ['init', 'record'], usage: 'init' },
  'dry-run': { commands: ['migrate'], usage: 'migrate' },
  from: { commands: ['record'], usage: 'record' },
  token: { commands: ['record', 'check'], usage: 'record' },
  against: { commands: ['check'], usage: 'check' },
  user: { commands: ['sessions', 'users'], usage: 'sessions' },
  username: { commands: ['users'], usage: 'users create' },
  email: { commands: ['users'], usage: 'users create' },
  role: { commands: ['users'], usage: 'users create' },
  generate: { commands: ['users'], usage: 'users create' },
  'admin-token': { commands: ['record'], usage: 'record' },
}

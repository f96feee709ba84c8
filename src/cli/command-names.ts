// The names of all commands.

export const commandNames = [
  'run',
  'validate',
  'print-config',
  'permissions',
  'schema',
  'token',
  'secrets',
  'plan',
  'export',
  'import',
  'backup',
  'migrate',
  'webhooks',
  'sessions',
  'users',
  'types',
  'client',
  'openapi',
  'test',
  'record',
  'mcp',
  'check',
  'init',
  'doctor',
  'help',
  'version',
] as const
export type CommandName =
  | (typeof commandNames)[number]
  | 'token list'
  | 'webhooks retry'
  | 'sessions revoke'
  | 'mcp install'
  | 'users create'
  | 'users password'
  | 'users role'

// Parses arguments into a command with its flags, or returns an error message.

import { parseArgs } from 'node:util'
import { didYouMean } from '../lib/did-you-mean.ts'
import { type CommandName, commandNames } from './command-names.ts'
import { flagHomes, flagKinds } from './flag-kinds.ts'
import { type TemplateName, templateNames } from './template-names.ts'

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
  readonly dryRun: boolean
}

/** Names of `run` in other servers. */
const ALIASES: Readonly<Record<string, string>> = { serve: 'run', dev: 'run', start: 'run' }

const misfits = ['stop', 'skip', 'text'] as const
type Misfits = (typeof misfits)[number]

const environments = ['development', 'staging', 'production'] as const
type EnvironmentName = (typeof environments)[number]

type ParseResult = { readonly command: Command } | { readonly fault: string }

export function parseArguments(argv: readonly string[]): ParseResult {
  const words: string[] = []
  const given = new Map<string, string>()
  const { tokens } = parseArgs({ args: [...argv], options: flagKinds, strict: false, tokens: true })
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    const kind = Object.hasOwn(flagKinds, name) ? flagKinds[name] : undefined
    if (kind === undefined) {
      if (name === 'password') return { fault: NO_PASSWORD_FLAG }
      const [written = ''] = (argv[token.index] ?? '').split('=', 1)
      const flags = Object.keys(flagKinds).map((flag) => `--${flag}`)
      return { fault: unknown('flag', written, flags) }
    }
    if (kind.type === 'boolean') {
      if (value !== undefined) return { fault: `--${name} takes no value` }
      given.set(name, 'true')
    } else {
      if (value === undefined || (!inlineValue && value.startsWith('--'))) {
        return { fault: `--${name} needs a value` }
      }
      // `-p=80`: the value of a short flag begins right after its letter.
      given.set(name, inlineValue && !rawName.startsWith('--') ? value.replace(/^=/, '') : value)
    }
  }
  return toCommand(words, given)
}

function toCommand(words: readonly string[], given: ReadonlyMap<string, string>): ParseResult {
  const port = wholeNumber(given, 'port', 0, 65_535)
  const workers = wholeNumber(given, 'workers', 1, 1024)
  for (const number of [port, workers]) if (typeof number === 'string') return { fault: number }
  const env = environments.find((name) => name === given.get('env'))
  if (given.has('env') && env === undefined) {
    return { fault: `--env is development, staging or production, not "${given.get('env')}"` }
  }
  const format = given.has('json') ? 'json' : (given.get('format') ?? 'text')
  if (format !== 'text' && format !== 'json' && format !== 'github') {
    return { fault: `--format is text, json or github, not "${format}"` }
  }
  const onMisfit = misfits.find((name) => name === (given.get('on-misfit') ?? 'stop'))
  if (onMisfit === undefined)
    return { fault: `--on-misfit is stop, skip or text, not "${given.get('on-misfit')}"` }
  const template = templateNames.find((name) => name === given.get('template'))
  if (given.has('template') && template === undefined) {
    return { fault: unknown('template', given.get('template') ?? '', templateNames) }
  }
  const flags: Flags = {
    port: typeof port === 'number' ? port : undefined,
    host: given.get('host'),
    env,
    workers: typeof workers === 'number' ? workers : undefined,
    watch: !given.has('no-watch'),
    poll: given.has('poll'),
    reseed: given.has('reseed'),
    open: given.has('open'),
    format,
    exitCode: given.has('exit-code'),
    replace: given.has('replace'),
    comparesOnly: given.has('check'),
    copies: given.has('copy'),
    onMisfit,
    follow: given.has('watch'),
    force: given.has('force'),
    dryRun: given.has('dry-run'),
    generate: given.has('generate'),
    ...(template === undefined ? {} : { template }),
    ...textFlags(given),
    ...(given.has('admin-token') && { adminToken: given.get('admin-token') ?? '' }),
  }
  if (given.has('help')) return { command: { name: 'help', file: undefined, flags } }
  if (given.has('version')) return { command: { name: 'version', file: undefined, flags } }
  const [first, ...rest] = words
  const named = commandNames.find((name) => name === (ALIASES[first ?? ''] ?? first))
  if (named === undefined && first !== undefined && !looksLikeFile(first)) {
    return { fault: unknown('command', first, commandNames) }
  }
  for (const [flag, { commands, usage }] of Object.entries(flagHomes)) {
    if (given.has(flag) && !commands.some((command) => command === named))
      return { fault: `--${flag} is for "cms-run ${usage}"` }
  }
  if (named === 'token') return tokenCommand(rest, flags)
  if (named === 'webhooks') return webhooksCommand(rest, flags)
  if (named === 'sessions') return sessionsCommand(rest, flags)
  if (named === 'users') return usersCommand(rest, flags)
  if (named === 'import') return importCommand(rest, flags)
  if (named === 'export' && flags.to === undefined)
    return { fault: 'export needs to know where to: --to archive.tar.gz' }
  if (named === 'migrate' && flags.to === undefined)
    return { fault: 'migrate needs to know where to: --to strapi-5' }
  if (named === 'record' && flags.from === undefined)
    return { fault: 'record needs to know what to record: --from http://localhost:1337' }
  if (named === 'check' && flags.against === undefined)
    return {
      fault:
        'check needs to know a deployment: --against https://cms.example.com (validate checks the file alone)',
    }
  if (flags.as !== undefined && flags.explain === undefined)
    return { fault: '--as needs to know what to explain: --as user:ann --explain order.find' }
  const files = named === undefined ? words : rest
  if (files.length > 1) return { fault: `one file at a time: ${files.join(', ')}` }
  const [file] = files
  return { command: { name: named ?? 'run', file, flags } }
}

function tokenCommand([action, subject, ...rest]: readonly string[], flags: Flags): ParseResult {
  if (action === 'list') {
    if (rest.length > 0) return { fault: `one file at a time: ${[subject, ...rest].join(', ')}` }
    for (const flag of ['type', 'expires'] as const)
      if (flags[flag] !== undefined) return { fault: `--${flag} is for "cms-run token create"` }
    return { command: { name: 'token list', file: subject, flags } }
  }
  if (action !== 'create')
    return {
      fault: 'tokens are made with "cms-run token create <name>" and listed with "cms-run token list"',
    }
  if (rest.length > 0) return { fault: `one token at a time: ${[subject, ...rest].join(', ')}` }
  const named = subject === undefined ? {} : { subject }
  return { command: { name: 'token', file: undefined, ...named, flags } }
}

function webhooksCommand([action, file, ...rest]: readonly string[], flags: Flags): ParseResult {
  if (action !== 'list' && action !== 'retry')
    return {
      fault:
        'deliveries are listed with "cms-run webhooks list" and tried again with "cms-run webhooks retry"',
    }
  if (rest.length > 0) return { fault: `one file at a time: ${[file, ...rest].join(', ')}` }
  return { command: { name: action === 'retry' ? 'webhooks retry' : 'webhooks', file, flags } }
}

function sessionsCommand([action, file, ...rest]: readonly string[], flags: Flags): ParseResult {
  if (action !== 'list' && action !== 'revoke')
    return {
      fault: 'sessions are listed with "cms-run sessions list" and ended with "cms-run sessions revoke"',
    }
  if (rest.length > 0) return { fault: `one file at a time: ${[file, ...rest].join(', ')}` }
  if (!flags.user) return { fault: `sessions ${action} needs to know whose: --user ann@example.com` }
  return { command: { name: action === 'revoke' ? 'sessions revoke' : 'sessions', file, flags } }
}

const NO_PASSWORD_FLAG =
  'a password on the command line would stay in the history of the shell: leave it out to be asked, write it to standard input, or let --generate make one'

/** The flags that each action takes; those without a question mark are needed. */
const usersActions = {
  list: [],
  create: ['username', 'email', 'role', 'generate?'],
  password: ['user', 'generate?'],
  role: ['user', 'role'],
} as const
const userExamples = { username: 'ann', email: 'ann@example.com', role: 'editor', user: 'ann' } as const
const userFlags = ['user', 'username', 'email', 'role', 'generate'] as const

function usersCommand([first, ...others]: readonly string[], flags: Flags): ParseResult {
  const names = Object.keys(usersActions) as (keyof typeof usersActions)[]
  const named = names.find((name) => name === first)
  if (named === undefined && first !== undefined && !looksLikeFile(first))
    return {
      fault: unknown(
        'command',
        `users ${first}`,
        names.map((name) => `users ${name}`),
      ),
    }
  const action = named ?? 'list'
  const files = named === undefined && first !== undefined ? [first, ...others] : others
  if (files.length > 1) return { fault: `one file at a time: ${files.join(', ')}` }
  const taken: readonly string[] = usersActions[action]
  for (const flag of userFlags) {
    const isGiven = flag === 'generate' ? flags.generate : flags[flag] !== undefined
    if (isGiven && !taken.some((one) => one.replace('?', '') === flag))
      return { fault: `--${flag} is not for "cms-run users ${action}"` }
  }
  const missing = userFlags.filter((flag) => taken.includes(flag) && flag !== 'generate' && !flags[flag])
  if (missing.length > 0) {
    const how = missing.map((flag) => `--${flag} ${userExamples[flag as keyof typeof userExamples]}`)
    return { fault: `users ${action} needs ${how.join(' ')}` }
  }
  const name = action === 'list' ? 'users' : (`users ${action}` as const)
  return { command: { name, file: files[0], flags } }
}

function importCommand([subject, ...rest]: readonly string[], flags: Flags): ParseResult {
  if (rest.length > 0) return { fault: `one archive at a time: ${[subject, ...rest].join(', ')}` }
  if (subject !== undefined && flags.strapi !== undefined)
    return { fault: `--strapi names what is imported, so "${subject}" is one thing too many` }
  if (flags.project !== undefined && flags.strapi === undefined)
    return {
      fault: '--project names the folder of an export: import --strapi export.tar.gz --project ./my-project',
    }
  if (flags.comparesOnly && flags.strapi === undefined)
    return { fault: '--check names what is compared: import --strapi ./my-project --check' }
  if (flags.copies && flags.strapi === undefined)
    return { fault: '--copy copies the code of a project: import --strapi ./my-project --copy' }
  if (subject === undefined && flags.strapi === undefined)
    return { fault: 'import needs an archive: cms-run import archive.tar.gz' }
  const named = subject === undefined ? {} : { subject }
  return { command: { name: 'import', file: flags.into, ...named, flags } }
}

/** A word with a dot or a slash (`./site`) is a file, not a command. */
function looksLikeFile(word: string): boolean {
  return /[./\\]/.test(word)
}

const textFlagNames = [
  'type',
  'expires',
  'to',
  'into',
  'strapi',
  'project',
  'out',
  'as',
  'explain',
  'from',
  'token',
  'against',
  'user',
  'username',
  'email',
  'role',
] as const

function textFlags(
  given: ReadonlyMap<string, string>,
): Partial<Record<(typeof textFlagNames)[number], string>> {
  return Object.fromEntries(
    textFlagNames.flatMap((name) => (given.has(name) ? [[name, given.get(name)]] : [])),
  )
}

function wholeNumber(
  given: ReadonlyMap<string, string>,
  name: string,
  least: number,
  most: number,
): number | string | undefined {
  const text = given.get(name)
  if (text === undefined) return undefined
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  return number >= least && number <= most
    ? number
    : `--${name} is a whole number from ${least} to ${most}, not "${text}"`
}

const MAX_SUGGESTIONS = 5

function unknown(what: string, word: string, candidates: readonly string[]): string {
  const nearest = didYouMean(word, candidates)
  const named = `unknown ${what} "${word}"`
  if (nearest !== undefined) return `${named}, did you mean "${nearest}"?`
  return candidates.length <= MAX_SUGGESTIONS
    ? `${named}: ${candidates.join(', ')}`
    : `${named}; see cms-run --help`
}

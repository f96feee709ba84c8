// Parses arguments into a command with its flags, or returns an error message.

import { parseArgs } from 'node:util'
import { environments, type Flags, misfits, type ParseResult } from './command.ts'
import { commandNames } from './command-names.ts'
import { flagHomes, flagKinds } from './flag-kinds.ts'
import {
  explainUnknown,
  importCommand,
  looksLikeFile,
  mcpInstallCommand,
  sessionsCommand,
  tokenCommand,
  usersCommand,
  webhooksCommand,
} from './parse-subcommand.ts'
import { templateNames } from './template-names.ts'

/** Names of `run` in other servers. */
const ALIASES: Readonly<Record<string, string>> = { serve: 'run', dev: 'run', start: 'run' }

const NO_PASSWORD_FLAG =
  'a password on the command line would stay in the history of the shell: leave it out to be asked, write it to standard input, or let --generate make one'

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
      return { fault: explainUnknown('flag', written, flags) }
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
    return { fault: explainUnknown('template', given.get('template') ?? '', templateNames) }
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
    agents: given.has('agents'),
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
    return { fault: explainUnknown('command', first, commandNames) }
  }
  for (const [flag, { commands, usage }] of Object.entries(flagHomes)) {
    if (given.has(flag) && !commands.some((command) => command === named))
      return { fault: `--${flag} is for "cms-run ${usage}"` }
  }
  if (named === 'token') return tokenCommand(rest, flags)
  if (named === 'webhooks') return webhooksCommand(rest, flags)
  if (named === 'sessions') return sessionsCommand(rest, flags)
  if (named === 'users') return usersCommand(rest, flags)
  if (named === 'mcp' && rest[0] === 'install') return mcpInstallCommand(rest.slice(1), flags)
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
  if (named !== 'mcp' && flags.as !== undefined && flags.explain === undefined)
    return { fault: '--as needs to know what to explain: --as user:ann --explain order.find' }
  const files = named === undefined ? words : rest
  if (files.length > 1) return { fault: `one file at a time: ${files.join(', ')}` }
  const [file] = files
  return { command: { name: named ?? 'run', file, flags } }
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

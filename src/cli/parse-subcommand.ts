// Parses the commands of two words: `token create`, `users role`.

import { didYouMean } from '../lib/did-you-mean.ts'
import type { Flags, ParseResult } from './command.ts'

export function tokenCommand([action, subject, ...rest]: readonly string[], flags: Flags): ParseResult {
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

export function webhooksCommand([action, file, ...rest]: readonly string[], flags: Flags): ParseResult {
  if (action !== 'list' && action !== 'retry')
    return {
      fault:
        'deliveries are listed with "cms-run webhooks list" and tried again with "cms-run webhooks retry"',
    }
  if (rest.length > 0) return { fault: `one file at a time: ${[file, ...rest].join(', ')}` }
  return { command: { name: action === 'retry' ? 'webhooks retry' : 'webhooks', file, flags } }
}

export function sessionsCommand([action, file, ...rest]: readonly string[], flags: Flags): ParseResult {
  if (action !== 'list' && action !== 'revoke')
    return {
      fault: 'sessions are listed with "cms-run sessions list" and ended with "cms-run sessions revoke"',
    }
  if (rest.length > 0) return { fault: `one file at a time: ${[file, ...rest].join(', ')}` }
  if (!flags.user) return { fault: `sessions ${action} needs to know whose: --user ann@example.com` }
  return { command: { name: action === 'revoke' ? 'sessions revoke' : 'sessions', file, flags } }
}

/** The flags that each action takes; those without a question mark are needed. */
const usersActions = {
  list: [],
  create: ['username', 'email', 'role', 'generate?'],
  password: ['user', 'generate?'],
  role: ['user', 'role'],
} as const
const userExamples = { username: 'ann', email: 'ann@example.com', role: 'editor', user: 'ann' } as const
const userFlags = ['user', 'username', 'email', 'role', 'generate'] as const

export function usersCommand([first, ...others]: readonly string[], flags: Flags): ParseResult {
  const names = Object.keys(usersActions) as (keyof typeof usersActions)[]
  const named = names.find((name) => name === first)
  if (named === undefined && first !== undefined && !looksLikeFile(first))
    return {
      fault: explainUnknown(
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

export function mcpInstallCommand([file, ...rest]: readonly string[], flags: Flags): ParseResult {
  if (rest.length > 0) return { fault: `one file at a time: ${[file, ...rest].join(', ')}` }
  return { command: { name: 'mcp install', file, flags } }
}

export function importCommand([subject, ...rest]: readonly string[], flags: Flags): ParseResult {
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
export function looksLikeFile(word: string): boolean {
  return /[./\\]/.test(word)
}

const MAX_SUGGESTIONS = 5

export function explainUnknown(what: string, word: string, candidates: readonly string[]): string {
  const nearest = didYouMean(word, candidates)
  const named = `unknown ${what} "${word}"`
  if (nearest !== undefined) return `${named}, did you mean "${nearest}"?`
  return candidates.length <= MAX_SUGGESTIONS
    ? `${named}: ${candidates.join(', ')}`
    : `${named}; see cms-run --help`
}

// Reads the endpoint and limits of a project's GraphQL from `config/plugins`, where they are plain values.

import { basename, join } from 'node:path'
import { type ImportNote, ImportNotes } from '../import-notes.ts'
import { listFiles } from '../project-folder.ts'
import type { Json } from '../strapi-source.ts'
import { buildResult, getMember, getPlain } from './code-values.ts'
import type { CodeValue } from './parse-expression.ts'
import { readCode } from './read-code.ts'

/** Accepted values; 0 may mean something else here than in Strapi. */
const NUMBERS = {
  depthLimit: (value) => value >= 0,
  defaultLimit: (value) => value > 0,
  maxLimit: (value) => value === -1 || value > 0,
} as const satisfies Record<string, (value: number) => boolean>
const SWITCHES = ['shadowCRUD', 'playgroundAlways', 'v4CompatibilityMode'] as const

export async function readGraphqlSettings(
  folder: string,
): Promise<{ readonly settings: Json; readonly notes: readonly ImportNote[] }> {
  const settings: Record<string, unknown> = {}
  const notes = new ImportNotes()
  for (const file of await listFiles(join(folder, 'config'))) {
    if (!/^plugins\.[cm]?[jt]s$/.test(file)) continue
    const { exported } = await readCode(join(folder, 'config', file))
    const config = getMember(getMember(buildResult(exported), 'graphql'), 'config')
    if (config?.kind !== 'object') continue
    for (const [name, value] of config.members) {
      if (name === 'amountLimit') {
        notes.add(
          'different',
          `config/${basename(file)}: graphql.config.amountLimit has no effect in Strapi, and is -1 here: set it to limit lists`,
        )
        continue
      }
      const taken = settingIn(name, value)
      if (taken !== undefined) settings[name] = taken
      else if (name in NUMBERS || name === 'endpoint')
        notes.add(
          'missing',
          `config/${basename(file)}: graphql.config.${name} is code or out of range, and is not taken`,
        )
    }
  }
  return { settings, notes: notes.list }
}

const ENDPOINT = /^(?:\/[A-Za-z0-9._~-]+)+$/

function settingIn(name: string, given: CodeValue): string | number | boolean | undefined {
  const value = getPlain(given)
  if (typeof value === 'string') return name === 'endpoint' && ENDPOINT.test(value) ? value : undefined
  if (typeof value === 'boolean') return SWITCHES.some((one) => one === name) ? value : undefined
  const isTaken = Object.hasOwn(NUMBERS, name) ? NUMBERS[name as keyof typeof NUMBERS] : undefined
  return value !== undefined && Number.isSafeInteger(value) && isTaken?.(value) ? value : undefined
}

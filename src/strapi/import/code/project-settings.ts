// Reads settings of a project that are plain values: `config/api` (limits and prefix of REST) and, in `config/middlewares`,
// `strapi::cors` and `strapi::body`. Of `env(name, value)` the value is taken.

import { basename, join } from 'node:path'
import { type ImportNote, ImportNotes } from '../import-notes.ts'
import { listCodeFiles, listFolders } from '../project-folder.ts'
import type { Json } from '../strapi-source.ts'
import { buildResult, getPlain } from './code-values.ts'
import type { CodeValue } from './parse-expression.ts'
import { readCode } from './read-code.ts'

interface ProjectSettings {
  readonly rest: Json
  readonly server: Json
  readonly notes: readonly ImportNote[]
}

type Members = ReadonlyMap<string, CodeValue>

const NO_MEMBERS: Members = new Map()

export async function readProjectSettings(folder: string): Promise<ProjectSettings> {
  const rest: Record<string, unknown> = {}
  const server: Record<string, unknown> = {}
  const notes = new ImportNotes()
  for (const file of await listCodeFiles(join(folder, 'config'))) {
    const [name = ''] = basename(file).split('.')
    if (name !== 'api' && name !== 'middlewares' && name !== 'middleware') continue
    const { exported } = await readCode(file)
    const value = buildResult(exported)
    const place = `config/${basename(file)}`
    if (name === 'api') readRest(getMembers(value).get('rest'), rest, place, notes)
    else if (value?.kind === 'list')
      for (const item of value.items) readMiddleware(item, server, place, notes)
  }
  for (const environment of await listFolders(join(folder, 'config/env')))
    notes.add('missing', `config/env/${environment} is not read: carry its settings over by hand`)
  return { rest, server, notes: notes.list }
}

function readRest(
  given: CodeValue | undefined,
  rest: Record<string, unknown>,
  place: string,
  notes: ImportNotes,
): void {
  for (const [name, value] of getMembers(given)) {
    const plain = getPlain(value)
    if (name === 'prefix' && typeof plain === 'string' && /^\/[^\s]*[^\s/]$/.test(plain)) rest[name] = plain
    else if (name === 'withCount' && typeof plain === 'boolean') rest[name] = plain
    else if (name === 'defaultLimit' && isCount(plain)) rest[name] = plain
    else if (name === 'maxLimit' && (isCount(plain) || plain === -1)) rest[name] = plain === -1 ? null : plain
    else notes.add('missing', `${place}: rest.${name} is code, or has no equal here, and is not taken`)
  }
}

function readMiddleware(
  item: CodeValue,
  server: Record<string, unknown>,
  place: string,
  notes: ImportNotes,
): void {
  const members = getMembers(item)
  const name = getPlain(members.get('name'))
  const config = getMembers(members.get('config'))
  if (config.size === 0) return
  if (name === 'strapi::cors') server['cors'] = readCors(config, place, notes)
  if (name === 'strapi::body') {
    const limits = readLimits(config, place, notes)
    if (Object.keys(limits).length > 0) server['limits'] = limits
  }
}

const ORIGIN = /^https?:\/\/[^\s/*]+$/

/** An origin that is not plain closes the API to other origins, because an open one would be a surprise. */
function readCors(config: Members, place: string, notes: ImportNotes): Json {
  const cors: Record<string, unknown> = {}
  const given = config.get('origin')
  if (given !== undefined) {
    const list = getTexts(given)
    const origins = list?.map((origin) => origin.replace(/\/$/, ''))
    if (origins?.includes('*')) cors['origin'] = '*'
    else if (origins?.every((origin) => ORIGIN.test(origin))) {
      cors['origin'] = origins
      cors['credentials'] = getPlain(config.get('credentials')) !== false
    } else {
      cors['origin'] = false
      notes.add(
        'missing',
        `${place}: the origins of strapi::cors are code: name them under server.cors.origin`,
      )
    }
  }
  for (const name of ['methods', 'headers'] as const) {
    const value = config.get(name)
    const texts = value === undefined ? undefined : getTexts(value)
    if (texts !== undefined && !texts.includes('*')) cors[name] = texts
    else if (value !== undefined)
      notes.add(
        'missing',
        `${place}: ${name} of strapi::cors is not taken: list the names under server.cors.${name}`,
      )
  }
  return cors
}

const SIZE = /^\d+(?:\.\d+)?\s*(?:b|kb|mb|gb)$/i

function readLimits(config: Members, place: string, notes: ImportNotes): Json {
  const limits: Record<string, unknown> = {}
  const json = config.get('jsonLimit')
  const body = getPlain(json)
  if ((typeof body === 'string' && SIZE.test(body)) || isCount(body)) limits['body'] = body
  else if (json !== undefined)
    notes.add('missing', `${place}: jsonLimit of strapi::body is code, and is not taken`)
  const size = getMembers(config.get('formidable')).get('maxFileSize')
  const upload = getPlain(size)
  if (isCount(upload)) limits['upload'] = upload
  else if (size !== undefined)
    notes.add('missing', `${place}: maxFileSize of strapi::body is code: write it under server.limits.upload`)
  return limits
}

function getMembers(value: CodeValue | undefined): Members {
  return value?.kind === 'object' ? value.members : NO_MEMBERS
}

function getTexts(value: CodeValue): readonly string[] | undefined {
  const items = value.kind === 'list' ? value.items.map(getPlain) : [getPlain(value)]
  return items.every((item) => typeof item === 'string') ? items : undefined
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

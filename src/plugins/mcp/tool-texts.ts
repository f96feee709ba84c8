// Descriptions and hints of tools.

import type { Tool } from '@modelcontextprotocol/server'
import type { OperationName, OperationShape } from '../../model/actions.ts'
import type { ContentType } from '../../model/content-type.ts'

/** `{}` stands for the name of the content-type. */
const TEXTS: Readonly<Record<OperationName, string>> = {
  find: 'Lists entries of {}.',
  findOne: 'Reads one entry of {}.',
  create: 'Creates an entry of {}.',
  update: 'Changes the given attributes of one entry of {}.',
  delete: 'Deletes one entry of {}.',
  publish: 'Publishes the draft of one entry of {}.',
  unpublish: 'Makes the published version of one entry of {} a draft only.',
  discardDraft: 'Replaces the draft of one entry of {} by its published version.',
  createMany: 'Creates several entries of {} in one transaction.',
  updateMany: 'Changes all entries of {} that the filters find.',
  deleteMany: 'Deletes all entries of {} that the filters find.',
  upsert: 'Changes the entry of {} with the given unique value, or creates it.',
  upsertMany: 'Changes or creates several entries of {} by a unique value.',
  createLocalization: 'Creates another locale of an entry of {}.',
  aggregate: 'Counts, sums and averages entries of {} in groups.',
  count: 'Counts entries of {}.',
}

export function describeTool({ action, output }: OperationShape, type?: ContentType): string {
  const name = type === undefined ? 'a content-type' : `"${type.displayName}"`
  const isSingle = type?.kind === 'singleType' && output === 'entry'
  const text = isSingle
    ? TEXTS[action].replace(/(?:one|an) entry of|entries of|Lists/, 'the entry of')
    : TEXTS[action]
  const described = text.replace('{}', name)
  return type?.description === undefined || type.description === ''
    ? described
    : `${described} ${type.description}`
}

const DESTRUCTIVE: ReadonlySet<OperationName> = new Set<OperationName>([
  'update',
  'delete',
  'discardDraft',
  'updateMany',
  'deleteMany',
  'upsert',
  'upsertMany',
])
const IDEMPOTENT: ReadonlySet<OperationName> = new Set<OperationName>([
  ...DESTRUCTIVE,
  'publish',
  'unpublish',
])

export function buildAnnotations({ action, effect }: OperationShape): Tool['annotations'] {
  if (effect !== 'write') return { readOnlyHint: true, openWorldHint: false }
  return {
    readOnlyHint: false,
    destructiveHint: DESTRUCTIVE.has(action),
    idempotentHint: IDEMPOTENT.has(action),
    openWorldHint: false,
  }
}

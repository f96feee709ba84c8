// The operations of a content-type with numeric ids, as in Strapi 4.

import type { Permissions } from '../access/principal.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params } from '../plan/params.ts'
import { NO_ENTRY, parseId } from '../plan/parse-id.ts'
import type { ReadResult } from '../query/rows/entry.ts'
import { getId } from '../query/rows/entry.ts'
import type { Content, WriteOptions, WriteResult } from '../write/content.ts'
import { assertOneLocale, saveSingle } from '../write/save-single.ts'
import { createNotFound, FIRST, type Implementations, implementFind } from './implementations.ts'
import type { Data, Input, RunContext } from './operation.ts'

export function implementEntryOperations(type: ContentType, content: Content): Implementations {
  const single = type.kind === 'singleType'
  const prepareOutput = (params: Params, caller: Permissions) => content.prepareOutput(type, params, caller)

  const writing = (
    run: (input: Input, options: WriteOptions, context: RunContext) => Promise<WriteResult>,
  ) => ({
    prepareOutput,
    prepare: (params: Params, access: Permissions) => ({
      run: async (input: Input, context: RunContext): Promise<ReadResult> =>
        getFound(await run(input, writeOptions(type, params, access, input, context), context)),
    }),
  })
  const createdData = ({ data = {}, locale }: Input, { makesDrafts }: RunContext): Data => {
    const given = locale === undefined || locale === null ? data : { ...data, locale }
    const { publishedAt } = type
    if (makesDrafts !== true || publishedAt === undefined) return given
    return { ...given, [publishedAt.name]: data[publishedAt.name] ?? null }
  }
  return {
    read: {
      find: implementFind(type, content),
      findOne(params, access) {
        const prepared = content.prepareFindOne(type, params, access, !access.seesDrafts(type))
        return {
          plan: prepared.plan,
          dependencies: ({ id } = {}) => prepared.dependencies({ id: getNumber(id) }),
          run: ({ id } = {}, options) => prepared.run({ id: getNumber(id) }, options),
        }
      },
    },
    write: {
      create: writing((input, options, context) =>
        content.create(type, createdData(input, context), options),
      ),
      update: writing((input, options, context) => {
        const { id, data = {}, locale = options.params.locale } = input
        if (!single) return content.update(type, getNumber(id), data, options)
        const saved = { update: data, create: createdData({ data, locale }, context) }
        return saveSingle(content, type, locale, saved, options)
      }),
      delete: {
        prepareOutput,
        prepare: (params, access) => ({
          async run(input, context) {
            // A deletion reads the entry with the caller's access.
            const options = writeOptions(type, params, access, input, { ...context, output: undefined })
            if (!single) return getFound(await content.delete(type, getNumber(input.id), options))
            assertOneLocale(type, input.locale ?? params.locale)
            const found = { pagination: FIRST, ...(input.found ?? params) }
            const current = await content.prepareFind(type, found, access).run()
            const [entry] = current.entries
            return entry === undefined ? current : getFound(await content.delete(type, getId(entry), options))
          },
        }),
      },
      createLocalization: writing(({ id, data = {}, locale }, options) => {
        const source = single ? undefined : (parseId(String(id)) ?? NO_ENTRY)
        const localized = locale === undefined || locale === null ? data : { ...data, locale }
        return content.localize(type, source, localized, options)
      }),
    },
  }
}

function writeOptions(
  { publishedAt }: ContentType,
  params: Params,
  access: Permissions,
  { data = {} }: Input,
  { by, own, budget, output, makesDrafts, as, tally, dryRun, ifVersion }: RunContext,
): WriteOptions {
  const complete = makesDrafts === true && publishedAt !== undefined && data[publishedAt.name] === undefined
  // One literal: V8 gives a spread and extended object its own shape each time, which is slow.
  return {
    params,
    access,
    by,
    own,
    as,
    tally,
    dryRun,
    ifVersion,
    budget,
    output: output && (() => output('live')),
    complete,
  }
}

function getNumber(id: Input['id']): number {
  const number = parseId(String(id))
  if (number === undefined) throw createNotFound()
  return number
}

function getFound({ plan, entry }: WriteResult): ReadResult {
  return { plan, entries: [entry], page: undefined, total: undefined }
}

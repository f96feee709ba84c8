// Checks names under `data` and kinds of values; constraints are checked when the entries are written.

import { type CheckContext, formatSuggestion } from '../checking.ts'
import type { ContentType, Schema } from '../content-type.ts'
import { expandData } from './expand-data.ts'
import type { DataModel } from './expansion.ts'
import { findDataType, suggestDataType } from './find-data-type.ts'

/** A generated file repeats its mistake in every entry. */
const MAX_FAULTS = 100

export function checkData(checking: CheckContext): void {
  const { config, contributions, fault } = checking
  let faults = 0
  const given = contributions.flatMap(({ entries }) => entries ?? [])
  expandData({ data: config.data, given, now: 0 }, getModel(checking), (...parts) => {
    faults += 1
    if (faults <= MAX_FAULTS) fault(...parts)
  })
  checkFake(checking)
  if (faults <= MAX_FAULTS) return
  fault('MOD089', ['data'], `${faults - MAX_FAULTS} more faults in the entries are not shown`, { at: 'key' })
}

function checkFake({ config, schemas, fault }: CheckContext): void {
  const types = new Map([...schemas.types].map(([uid, { built }]) => [uid, built]))
  for (const [name, count] of Object.entries(config.fake.counts)) {
    const path = ['data', 'fake', name]
    const type = findDataType(name, types)
    if (type === undefined) {
      const help = formatSuggestion(suggestDataType(name, types), types.keys())
      fault('MOD080', path, `fake entries of the unknown content-type "${name}"`, { at: 'key', help })
    } else if (!type.uid.startsWith('api::')) {
      const help = 'write its entries yourself'
      fault('MOD105', path, `no fake entries are made of ${type.uid}, which belongs to a plugin`, { help })
    } else if (type.kind === 'singleType' && count > 1) {
      fault('MOD105', path, `${type.uid} is a single type: it has one entry`)
    }
  }
}

function getModel({ schemas, contributions }: CheckContext): DataModel {
  const both = [...schemas.types.values(), ...schemas.components.values()]
  const names = new Map<Schema, readonly string[]>(
    both.map(({ built, source }) => [built, source.attributes.map(({ name }) => name)]),
  )
  return {
    types: new Map([...schemas.types].map(([uid, { built }]): [string, ContentType] => [uid, built])),
    fileType: schemas.files?.built,
    localizes: schemas.locales !== undefined,
    getNames: (schema) => names.get(schema) ?? [],
    elsewhere: (uid) => contributions.find((one) => one.entriesElsewhere?.[uid])?.entriesElsewhere?.[uid],
  }
}

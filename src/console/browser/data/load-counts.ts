// Counts the entries of a view by the values of an attribute.

import type { Model, Type } from '../../described.ts'
import { api } from '../server.ts'
import { buildSelection, type View } from './load.ts'
import { queryText } from './values.ts'

export interface Group {
  readonly value: string | number | boolean | null
  readonly count: number
}

export interface Counts {
  readonly groups: readonly Group[]
  /** Of all entries of the view; only of numbers. */
  readonly numbers: Readonly<Record<'min' | 'max' | 'avg' | 'sum', number | string | null>> | undefined
}

const MAX_GROUPS = 50

/** How many entries of the view have each value of the attribute, the most frequent first. */
export async function readCounts(
  type: Type,
  model: Model,
  view: View,
  name: string,
  isNumber: boolean,
): Promise<Counts> {
  const selection = buildSelection(type, model, view, {})
  const read = async (query: Readonly<Record<string, unknown>>): Promise<readonly Summary[]> => {
    const address = `${type.path}/aggregate?${queryText({ ...selection, ...query })}`
    return (await api<{ data: readonly Summary[] }>(address)).data
  }
  const pagination = { pageSize: MAX_GROUPS }
  const groups = read({ aggregate: { count: '*' }, groupBy: name, sort: 'count:desc', pagination })
  const aggregate = { min: name, max: name, avg: name, sum: name }
  const [numbers] = isNumber ? await read({ aggregate }) : []
  return {
    groups: (await groups).map(({ group, count }) => ({ value: group?.[name] ?? null, count: count ?? 0 })),
    numbers:
      numbers === undefined
        ? undefined
        : {
            min: numbers.min?.[name] ?? null,
            max: numbers.max?.[name] ?? null,
            avg: numbers.avg?.[name] ?? null,
            sum: numbers.sum?.[name] ?? null,
          },
  }
}

type Measures = Readonly<Record<string, number | string | null>>

interface Summary {
  readonly group?: Readonly<Record<string, Group['value']>>
  readonly count?: number
  readonly min?: Measures
  readonly max?: Measures
  readonly avg?: Measures
  readonly sum?: Measures
}

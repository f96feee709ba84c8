// A payload -> the plan of its write, or everything that is wrong with it: `writes/*.case`.

import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { everyPermission } from '../../../src/access/principal.ts'
import { planWrite } from '../../../src/plan/write/plan-write.ts'
import { getWriteLimits } from '../../../src/plan/write/write-limits.ts'
import type { LinkChange, MorphChange, Position, WritePlan } from '../../../src/plan/write/write-plan.ts'
import { runTables } from '../../support/table-file.ts'
import { accessOf, outcomeOf, shown, typeOf } from './library.ts'

/** 2024-05-06T07:08:09Z */
const NOW = Date.UTC(2024, 4, 6, 7, 8, 9)

/** The first line says what is done by whom: `create book`, `update tag for tag.find`, `create draft tag`. */
runTables(join(dirname(fileURLToPath(import.meta.url)), 'writes'), ([first = '', ...lines]) =>
  outcomeOf(() => {
    const [, mode, draft, name = '', caller] =
      /^(create|update)( draft)? (\w+)(?: for (.+))?$/.exec(first) ?? []
    const { plan, faults, moreFaults, dateFault } = planWrite(typeOf(name), JSON.parse(lines.join('\n')), {
      mode: mode === 'update' ? 'update' : 'create',
      draft: draft !== undefined,
      access: caller === undefined ? everyPermission : accessOf(caller),
      now: NOW,
      trusted: false,
      limits: getWriteLimits(5),
    })
    if (faults.length === 0 && dateFault === undefined) return planLines(plan).join('\n')
    return [
      ...faults.map(({ path, message }) => `${path.join('.') || '(the whole)'}: ${message}`),
      ...(moreFaults === 0 ? [] : [`and ${moreFaults} more`]),
      ...(dateFault === undefined ? [] : [`date: ${dateFault}`]),
    ].join('\n')
  }),
)

function planLines(plan: WritePlan): readonly string[] {
  const names = (attributes: readonly { readonly name: string }[]) =>
    attributes.map(({ name }) => name).join(', ')
  return [
    `write ${plan.schema.collectionName}`,
    ...[...plan.values].map(([{ name }, value]) => `  ${name} = ${shown(value)}`),
    ...plan.generated.map(
      ({ attribute, slug, numbered }) =>
        `  ${attribute.name} = ${shown(slug)}${numbered ? ', numbered' : ', or the first free'}`,
    ),
    ...(plan.passwords.length === 0 ? [] : [`  hashed: ${names(plan.passwords)}`]),
    ...(plan.uniques.length === 0
      ? []
      : [`  unique: ${names(plan.uniques.map(({ attribute }) => attribute))}`]),
    ...plan.links.map(({ attribute, change }) => `  ${attribute.name} ${changeText(change)}`),
    ...plan.morphs.map(({ attribute, change }) => `  ${attribute.name} ${morphText(change)}`),
    ...plan.components.flatMap(({ attribute, rows }) => [
      `  ${attribute.name}: ${rows.length}`,
      ...rows.flatMap(({ component, id, plan: inner }) => [
        `    ${component.uid}${id === undefined ? '' : ` that has id ${id}`}`,
        ...planLines(inner).map((line) => `      ${line}`),
      ]),
    ]),
  ]
}

function changeText(change: LinkChange): string {
  if (change.kind === 'set') return `= ${shown(change.ids)}`
  const connect = change.connect.map(({ id, position }) => `${id}${positionText(position)}`)
  return `+ [${connect.join(', ')}] - ${shown(change.disconnect)}`
}

function positionText(position: Position): string {
  return 'id' in position ? ` ${position.at} ${position.id}` : ` at the ${position.at}`
}

function morphText(change: MorphChange): string {
  const text = (targets: Extract<MorphChange, { kind: 'set' }>['targets']) =>
    `[${targets.map(({ type, id }) => `${type.uid} ${id}`).join(', ')}]`
  return change.kind === 'set'
    ? `= ${text(change.targets)}`
    : `+ ${text(change.connect)} - ${text(change.disconnect)}`
}

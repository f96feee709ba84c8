// A payload -> WritePlan and everything that is wrong with it, in one pass (spec 4.1; BEHAVIOUR 9). Unknown
// attributes and the runtime's own are ignored, as Strapi does; nothing protected is ever assigned.

import { invalidParameter } from '../errors/api-error.ts'
import type {
  Attribute,
  ComponentAttribute,
  DynamicZoneAttribute,
  ScalarAttribute,
} from '../model/attribute.ts'
import type { AttributeHolder, Component, ContentType } from '../model/content-type.ts'
import { isShared } from '../model/localizations.ts'
import { isRecord } from '../util/is-record.ts'
import { castId } from './cast-value.ts'
import { checkScalar, wrongType } from './check-scalar.ts'
import { planRelated } from './plan-related.ts'
import { planSystemValues } from './plan-system-values.ts'
import { planUid } from './plan-uid.ts'
import { planLimits, tooMuch } from './planning.ts'
import {
  asShared,
  type Building,
  fault,
  finished,
  labelOf,
  type Path,
  relationFault,
  startBuilding,
  type WriteQuestion,
} from './write-building.ts'
import type { ComponentRow, WriteOutcome } from './write-plan.ts'

export function planWrite(
  type: ContentType,
  data: Readonly<Record<string, unknown>>,
  question: WriteQuestion,
): WriteOutcome {
  const building = startBuilding(question)
  planHolder(building, type, data, [])
  const values = planSystemValues(type, data, question)
  for (const [attribute, value] of values) building.values.set(attribute, value)
  return { plan: finished(building, type), faults: building.faults, dateFault: building.dateFaults[0] }
}

function planHolder(
  building: Building,
  holder: AttributeHolder,
  data: Readonly<Record<string, unknown>>,
  path: Path,
): void {
  for (const key of Object.keys(data)) {
    // Other unknown keys are ignored, as recorded; these are never sent by accident.
    if (key in Object.prototype && !holder.attributes.has(key)) throw invalidParameter(key)
  }
  for (const attribute of holder.attributes.values()) {
    if (isLocalizations(attribute) && building.question.mode === 'update') continue
    // `writable: false`: what a payload says about it is not looked at.
    const given = attribute.writable || building.question.trusted
    const value = given && Object.hasOwn(data, attribute.name) ? data[attribute.name] : undefined
    const at = [...path, attribute.name]
    if (value === undefined) planAbsent(building, holder, attribute, data, at)
    else planPresent(asShared(building, attribute), attribute, value, at)
  }
}

/** Entries of other locales are named when an entry is made, and never changed by a payload (BEHAVIOUR 10.6). */
function isLocalizations(attribute: Attribute): boolean {
  return attribute.kind === 'relation' && attribute.name === 'localizations'
}

function planAbsent(
  building: Building,
  holder: AttributeHolder,
  attribute: Attribute,
  data: Readonly<Record<string, unknown>>,
  path: Path,
): void {
  const { mode, draft, siblings } = building.question
  if (mode === 'update' || (siblings !== undefined && isShared(attribute))) return
  if (attribute.kind === 'scalar') {
    if (attribute.type === 'uid') {
      if (planUid(building, holder, attribute, data, path)) return
    } else if (attribute.default !== undefined && attribute.default !== null) {
      planScalarValue(building, attribute, attribute.default, path)
      return
    }
  }
  if (attribute.required && !draft) fault(building, path, `${labelOf(path)} must be defined.`)
}

function planPresent(building: Building, attribute: Attribute, value: unknown, path: Path): void {
  switch (attribute.kind) {
    case 'scalar':
      planScalarValue(building, attribute, value, path)
      return
    case 'relation':
    case 'media':
      planRelated(building, attribute, value, path)
      return
    case 'component':
      planComponent(building, attribute, value, path)
      return
    case 'dynamiczone':
      planZone(building, attribute, value, path)
      return
  }
}

function planScalarValue(building: Building, attribute: ScalarAttribute, value: unknown, path: Path): void {
  const { draft } = building.question
  if (value === null) {
    if (attribute.required && !draft)
      fault(building, path, wrongType(labelOf(path), yupType(attribute), null))
    else building.values.set(attribute, null)
    return
  }
  const checked = checkScalar(attribute, labelOf(path), value, draft)
  for (const one of checked.faults) {
    if (typeof one === 'string') fault(building, path, one)
    else fault(building, [...path, ...one.path], one.message)
  }
  if (checked.dateFault !== undefined) building.dateFaults.push(checked.dateFault)
  if (checked.faults.length > 0 || checked.dateFault !== undefined) return
  building.values.set(attribute, checked.value)
  if (attribute.type === 'password') building.passwords.push(attribute)
  if (attribute.unique || attribute.type === 'uid') building.uniques.push({ attribute, path })
}

/** The type's name in Strapi's sentences. */
function yupType(attribute: ScalarAttribute): string {
  switch (attribute.type) {
    case 'integer':
    case 'float':
    case 'decimal':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'json':
    case 'blocks':
    case 'date':
    case 'time':
    case 'datetime':
    case 'timestamp':
    case 'biginteger':
      return 'mixed'
    default:
      return 'string'
  }
}

function planComponent(building: Building, attribute: ComponentAttribute, value: unknown, path: Path): void {
  if (!attribute.repeatable) {
    if (value === null) {
      if (attribute.required && !building.question.draft)
        fault(building, path, `${labelOf(path)} cannot be null.`)
      else building.components.push({ attribute, rows: [] })
      return
    }
    const row = planRow(building, attribute.component, value, path)
    if (row !== undefined) building.components.push({ attribute, rows: [row] })
    return
  }
  const elements = listOf(building, attribute, value, path)
  if (elements === undefined) return
  const rows = elements.flatMap((element, index) => {
    const row = planRow(building, attribute.component, element, [...path, String(index)])
    return row === undefined ? [] : [row]
  })
  building.components.push({ attribute, rows })
}

function planZone(building: Building, attribute: DynamicZoneAttribute, value: unknown, path: Path): void {
  const elements = listOf(building, attribute, value, path)
  if (elements === undefined) return
  const rows = elements.flatMap((element, index) => {
    const at = [...path, String(index)]
    const uid = isRecord(element) ? element['__component'] : undefined
    const component = attribute.components.find((candidate) => candidate.uid === uid)
    if (component === undefined) {
      const allowed = attribute.components.map((candidate) => candidate.uid).join(', ')
      const label = labelOf([...at, '__component'])
      const message =
        uid === undefined
          ? `${label} is a required field`
          : `${label} must be one of the following values: ${allowed}`
      fault(building, [...at, '__component'], message)
      const unnamed = 'Cannot build relations store from dynamiczone, component identifier is undefined'
      relationFault(building, uid === undefined ? unnamed : 'Invalid relations')
      return []
    }
    const row = planRow(building, component, element, at)
    return row === undefined ? [] : [row]
  })
  building.components.push({ attribute, rows })
}

function listOf(
  building: Building,
  attribute: ComponentAttribute | DynamicZoneAttribute,
  value: unknown,
  path: Path,
): readonly unknown[] | undefined {
  const label = labelOf(path)
  if (!Array.isArray(value)) {
    fault(building, path, wrongType(label, 'array', value))
    return undefined
  }
  if (value.length > planLimits.listLength) throw tooMuch('components', planLimits.listLength)
  const { min, max, required } = attribute
  // A minimum on an optional list does not ask for one (BEHAVIOUR 9.10); drafts may lack them.
  const counts = !building.question.draft && (required || value.length > 0)
  if (min !== undefined && counts && value.length < min) {
    fault(building, path, `${label} field must have at least ${min} items`)
  }
  if (max !== undefined && value.length > max) {
    fault(building, path, `${label} field must have less than or equal to ${max} items`)
  }
  return value
}

const MOST_NESTING = 20

function planRow(
  building: Building,
  component: Component,
  value: unknown,
  path: Path,
): ComponentRow | undefined {
  if (!isRecord(value)) {
    fault(building, path, wrongType(labelOf(path), 'object', value))
    return undefined
  }
  if (path.length > MOST_NESTING * 2) throw tooMuch('levels of components', MOST_NESTING)
  const { mode, trusted } = building.question
  const given = castId(value['id']) ?? undefined
  const id = mode === 'update' ? given : undefined
  // A new component is created, whatever happens to the entry around it: its required attributes are asked.
  const inner = startBuilding(
    { ...building.question, mode: id === undefined ? 'create' : 'update', siblings: undefined },
    building,
  )
  planHolder(inner, component, value, path)
  // A seed brings its ids along; those of a request name what is there already.
  if (trusted && mode === 'create' && given !== undefined && given > 0) inner.values.set(component.id, given)
  return { component, id, plan: finished(inner, component) }
}

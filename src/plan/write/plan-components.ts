// Plans components and dynamic zones in a payload.

import { describeWrongType } from '../../attribute-types/faults.ts'
import { formatValue } from '../../attribute-types/shown-value.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { ComponentAttribute, DynamicZoneAttribute } from '../../model/attribute.ts'
import type { Component, Schema } from '../../model/content-type.ts'
import { castId } from '../cast-value.ts'
import { NO_ENTRY } from '../parse-id.ts'
import { createTooMuch } from '../planning.ts'
import {
  addRelationFault,
  fault,
  finishPlan,
  formatLabel,
  type Path,
  type PayloadContext,
  startBuilding,
} from './write-building.ts'
import type { ComponentRow } from './write-plan.ts'

type PlanSchema = (
  building: PayloadContext,
  schema: Schema,
  data: Readonly<Record<string, unknown>>,
  path: Path,
) => void

export function planComponent(
  building: PayloadContext,
  attribute: ComponentAttribute,
  value: unknown,
  path: Path,
  planSchema: PlanSchema,
): void {
  if (!attribute.repeatable) {
    if (value === null) {
      if (attribute.required && !building.options.draft) fault(building, path, noComponent(building, path))
      else building.components.push({ attribute, rows: [] })
      return
    }
    building.tally.addRows(1, path, formatLabel(path))
    if (!isRecord(value)) fault(building, path, describeWrongType(formatLabel(path), 'object', value))
    else
      building.components.push({
        attribute,
        rows: [planRow(building, attribute.component, value, path, planSchema)],
      })
    return
  }
  const elements = getList(building, attribute, value, path)
  if (elements === undefined) return
  const rows = elements.flatMap((element, index) => {
    const at = [...path, String(index)]
    if (isRecord(element)) return [planRow(building, attribute.component, element, at, planSchema)]
    fault(building, at, noObject(building, at, element))
    return []
  })
  building.components.push({ attribute, rows })
}

function noComponent({ options }: PayloadContext, path: Path): string {
  return options.documents === true
    ? describeWrongType(formatLabel(path), 'object', null)
    : `${formatLabel(path)} cannot be null.`
}

/** Strapi 5 parses a text as JSON where an object belongs; invalid JSON is null. */
function noObject({ options }: PayloadContext, path: Path, value: unknown): string {
  if (options.documents !== true || typeof value !== 'string')
    return describeWrongType(formatLabel(path), 'object', value)
  const message = describeWrongType(formatLabel(path), 'object', null)
  return `${message.slice(0, -1)} (cast from the value \`${formatValue(value)}\`).`
}

export function planZone(
  building: PayloadContext,
  attribute: DynamicZoneAttribute,
  value: unknown,
  path: Path,
  planSchema: PlanSchema,
): void {
  const elements = getList(building, attribute, value, path)
  if (elements === undefined) return
  const rows = elements.flatMap((element, index) => {
    const at = [...path, String(index)]
    if (!isRecord(element) && building.options.documents === true) {
      fault(building, at, noObject(building, at, element))
      addRelationFault(building, 'Invalid relations')
      return []
    }
    const uid = isRecord(element) ? element['__component'] : undefined
    const component = attribute.components.find((candidate) => candidate.uid === uid)
    if (component === undefined) {
      const allowed = attribute.components.map((candidate) => candidate.uid).join(', ')
      const label = formatLabel([...at, '__component'])
      const message =
        uid === undefined
          ? `${label} is a required field`
          : `${label} must be one of the following values: ${allowed}`
      fault(building, [...at, '__component'], message)
      const unnamed = 'Cannot build relations store from dynamiczone, component identifier is undefined'
      addRelationFault(building, uid === undefined ? unnamed : 'Invalid relations')
      return []
    }
    return isRecord(element) ? [planRow(building, component, element, at, planSchema)] : []
  })
  building.components.push({ attribute, rows })
}

function getList(
  building: PayloadContext,
  attribute: ComponentAttribute | DynamicZoneAttribute,
  value: unknown,
  path: Path,
): readonly unknown[] | undefined {
  const label = formatLabel(path)
  if (!Array.isArray(value)) {
    fault(building, path, describeWrongType(label, 'array', value))
    return undefined
  }
  building.tally.addRows(value.length, path, label)
  const { min, max, required } = attribute
  // An optional list may be empty despite its minimum; drafts may have fewer.
  const counts = !building.options.draft && (required || value.length > 0)
  if (min !== undefined && counts && value.length < min) {
    fault(building, path, `${label} field must have at least ${min} items`)
  }
  const asVersion = building.options.draft && building.options.versions === true
  if (max !== undefined && value.length > max && !asVersion) {
    fault(building, path, `${label} field must have less than or equal to ${max} items`)
  }
  return value
}

/** Undefined for a new component. An invalid id names no component of the entry. */
function idOfComponent(value: unknown): number | undefined {
  return value === undefined || value === null ? undefined : (castId(value) ?? NO_ENTRY)
}

const MAX_DEPTH = 20

function planRow(
  building: PayloadContext,
  component: Component,
  value: Readonly<Record<string, unknown>>,
  path: Path,
  planSchema: PlanSchema,
): ComponentRow {
  if (path.length > MAX_DEPTH * 2) throw createTooMuch('levels of components', MAX_DEPTH)
  const { mode, trusted } = building.options
  const given = idOfComponent(value['id'])
  const id = mode === 'update' ? given : undefined
  // A new component must have its required attributes, even if the entry is only updated.
  const inner = startBuilding(
    { ...building.options, mode: id === undefined ? 'create' : 'update', variants: undefined },
    building,
  )
  planSchema(inner, component, value, path)
  // Ids in a seed are new ones to store; ids in a request name existing components.
  if (trusted && mode === 'create' && given !== undefined && given > 0) inner.values.set(component.id, given)
  return { component, id, plan: finishPlan(inner, component) }
}

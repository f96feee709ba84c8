// Turns a payload into a WritePlan and all its faults. System attributes are ignored, as in Strapi; protected
// attributes are never assigned.

import { attributeTypes, buildTable } from '../../attribute-types/attribute-types.ts'
import { describeWrongType } from '../../attribute-types/faults.ts'
import { createInvalidParameter } from '../../lib/errors/api-error.ts'
import type { Attribute, RelationAttribute, ScalarAttribute } from '../../model/attribute.ts'
import type { ContentType, Schema } from '../../model/content-type.ts'
import { isShared } from '../../model/localizations.ts'
import { planSystemValues } from '../plan-system-values.ts'
import { planChange } from './plan-change.ts'
import { planComponent, planZone } from './plan-components.ts'
import { planRelated } from './plan-related.ts'
import { planUid } from './plan-uid.ts'
import { findNearestAttribute, isInResponses, shorten } from './unknown-attribute.ts'
import {
  fault,
  finishPlan,
  formatLabel,
  getMaxFaults,
  isOwn,
  type Path,
  type PayloadContext,
  type PayloadOptions,
  startBuilding,
  toOwn,
  toShared,
  withoutRepeating,
} from './write-building.ts'
import type { PlannedPayload } from './write-plan.ts'

const checks = buildTable(({ check }) => check)
const versionChecks = buildTable(({ checkVersion, check }) => checkVersion ?? check)
const isSecret = buildTable(({ secret }) => secret)

export function planWrite(
  type: ContentType,
  data: Readonly<Record<string, unknown>>,
  options: PayloadOptions,
): PlannedPayload {
  const building = startBuilding(options)
  planSchema(building, type, data, [])
  const values = planSystemValues(type, data, options)
  for (const [attribute, value] of values) building.values.set(attribute, value)
  const { items, more } = building.faults
  return {
    plan: finishPlan(building, type),
    faults: items,
    moreFaults: more,
    dateFault: building.dateFaults[0],
    access: options.access,
  }
}

function planSchema(
  building: PayloadContext,
  schema: Schema,
  data: Readonly<Record<string, unknown>>,
  path: Path,
): void {
  for (const key of Object.keys(data)) {
    if (schema.attributes.has(key)) continue
    // Always refused, because names of Object.prototype are never sent by accident.
    if (key in Object.prototype) throw createInvalidParameter(key)
    if (building.options.strict === true) checkUnknown(building, schema, key, [...path, shorten(key)])
  }
  for (const attribute of schema.attributes.values()) {
    if (
      isLocalizations(attribute) &&
      (attribute.sameDocument !== undefined || building.options.mode === 'update')
    )
      continue
    const given = Object.hasOwn(data, attribute.name) ? data[attribute.name] : undefined
    if (given === undefined && !countsAbsent(building, attribute)) continue
    const at = [...path, attribute.name]
    const value = given !== undefined && isTaken(building, attribute, at) ? given : undefined
    if (attribute.kind === 'scalar' && attribute.computed !== undefined) continue
    if (value === undefined) planAbsent(building, schema, attribute, data, at)
    else planPresent(toOwn(toShared(building, attribute), at), attribute, value, at)
  }
}

function checkUnknown(building: PayloadContext, schema: Schema, key: string, path: Path): void {
  if (isInResponses(schema, key) || isOwn(building, [...path.slice(0, -1), key])) return
  const { access, mode } = building.options
  const near = findNearestAttribute(access, schema, key, mode)
  const instead = near === undefined ? ': remove it from the data' : `, did you mean ${near}?`
  fault(building, path, `Unknown attribute ${formatLabel(path)}${instead}`)
}

function isTaken(building: PayloadContext, attribute: Attribute, path: Path): boolean {
  const { trusted, closed } = building.options
  if (attribute.kind === 'scalar' && attribute.computed !== undefined) {
    if (!trusted && closed !== 'ignored')
      fault(building, path, `${formatLabel(path)} is computed: remove it from the data`)
    return false
  }
  if (trusted || isOwn(building, path)) return true
  const reason = reasonAgainst(building, attribute)
  // `writable: false`: the value is ignored, as in Strapi.
  if (reason === undefined) return attribute.writable
  if (closed === 'refused') fault(building, path, `${formatLabel(path)} ${reason}`)
  return closed === undefined
}

function reasonAgainst({ options }: PayloadContext, attribute: Attribute): string | undefined {
  if (attribute.readOnly) return 'is read-only: remove it from the data'
  const other = attribute.kind === 'relation' ? attribute.inverse : undefined
  if (other?.readOnly === true)
    return `would change ${other.name}, which is read-only: remove it from the data`
  if (other?.writeOnce === true)
    return `would change ${other.name}, which can be set only when its entry is created: remove it from the data`
  if (!attribute.writeOnce) return undefined
  // A new locale variant shares the value with existing entries.
  const exists = options.mode === 'update' || (options.variants !== undefined && isShared(attribute))
  return exists ? 'can be set only when the entry is created: remove it from the data' : undefined
}

/** `localizations` is accepted only when an entry is created. */
function isLocalizations(attribute: Attribute): attribute is RelationAttribute {
  return attribute.kind === 'relation' && attribute.name === 'localizations'
}

function countsAbsent({ options }: PayloadContext, attribute: Attribute): boolean {
  if (options.mode === 'update') return false
  if (attribute.required) return true
  return (
    attribute.kind === 'scalar' && (attributeTypes[attribute.type].slug || attribute.default !== undefined)
  )
}

function planAbsent(
  building: PayloadContext,
  schema: Schema,
  attribute: Attribute,
  data: Readonly<Record<string, unknown>>,
  path: Path,
): void {
  const { mode, draft, variants } = building.options
  if (mode === 'update' || (variants !== undefined && isShared(attribute))) return
  if (attribute.kind === 'scalar') {
    if (attributeTypes[attribute.type].slug && makesUids(building.options)) {
      if (planUid(building, schema, attribute, data, path)) return
    } else if (attribute.default !== undefined && attribute.default !== null) {
      planScalarValue(building, attribute, getDefault(building, attribute), path)
      return
    }
  }
  const isLink = attribute.kind === 'relation' || attribute.kind === 'media'
  if (isLink && building.options.looseRelations === true) return
  if (isLink && path.length === 1 && building.options.linkedLater?.has(attribute.name) === true) return
  if (attribute.required && (!draft || needsList(building.options, attribute)))
    fault(building, path, missing(building, attribute, path))
}

/** In Strapi 5 only the admin panel makes uids; the file's entries get them, too. */
function makesUids({ documents, trusted }: PayloadOptions): boolean {
  return documents !== true || trusted
}

/** A new draft of a document gets its lists, empty if omitted. */
function needsList({ versions, trusted }: PayloadOptions, attribute: Attribute): boolean {
  if (versions !== true || trusted) return false
  return attribute.kind === 'dynamiczone' || (attribute.kind === 'component' && attribute.repeatable)
}

/** Omitted attributes are null in a document's draft, and are refused as null when it is published. */
function missing({ options }: PayloadContext, attribute: Attribute, path: Path): string {
  const label = formatLabel(path)
  if (options.versions === true && attribute.kind === 'scalar') return nullFault(options, label, attribute)
  return options.versions === true && attribute.kind === 'component' && !attribute.repeatable
    ? describeWrongType(label, 'object', null)
    : `${label} must be defined.`
}

/** Strapi 5 casts a null number to NaN before it refuses it. */
function nullFault({ documents }: PayloadOptions, label: string, { type }: ScalarAttribute): string {
  const { yupType } = attributeTypes[type]
  if (documents !== true) return describeWrongType(label, yupType, null)
  if (yupType === 'boolean') return `${label} must be defined.`
  return describeWrongType(label, yupType, yupType === 'number' ? Number.NaN : null)
}

/** `now` is the moment of the write. */
function getDefault({ options }: PayloadContext, attribute: ScalarAttribute): unknown {
  const { atMoment } = attributeTypes[attribute.type]
  return attribute.default === 'now' && atMoment !== undefined ? atMoment(options.now) : attribute.default
}

function planPresent(building: PayloadContext, attribute: Attribute, value: unknown, path: Path): void {
  if (attribute.private) withoutRepeating(building, value, () => planValue(building, attribute, value, path))
  else planValue(building, attribute, value, path)
}

function planValue(building: PayloadContext, attribute: Attribute, value: unknown, path: Path): void {
  switch (attribute.kind) {
    case 'scalar':
      planScalarValue(building, attribute, value, path)
      return
    case 'relation':
    case 'media':
      planRelated(building, attribute, value, path)
      return
    case 'component':
      planComponent(building, attribute, value, path, planSchema)
      return
    case 'dynamiczone':
      planZone(building, attribute, value, path, planSchema)
      return
  }
}

function planScalarValue(
  building: PayloadContext,
  attribute: ScalarAttribute,
  value: unknown,
  path: Path,
): void {
  const { draft } = building.options
  if (value === null) {
    if (attribute.required && !draft)
      fault(building, path, nullFault(building.options, formatLabel(path), attribute))
    else building.values.set(attribute, null)
    return
  }
  if (typeof value === 'object' && planChange(building, attribute, value, path)) return
  const asVersion = draft && building.options.versions === true
  const checked = (asVersion ? versionChecks : checks)[attribute.type](
    asVersion && attribute.min !== undefined ? { ...attribute, min: undefined } : attribute,
    formatLabel(path),
    value,
    draft,
    getMaxFaults(building.options),
    building.options.documents,
  )
  for (const one of checked.faults) {
    if (typeof one === 'string') fault(building, path, one)
    else fault(building, [...path, ...one.path], one.message)
  }
  building.faults.more += checked.moreFaults ?? 0
  if (checked.dateFault !== undefined) building.dateFaults.push(checked.dateFault)
  if (checked.faults.length > 0 || checked.dateFault !== undefined) return
  building.values.set(attribute, checked.value)
  if (isSecret[attribute.type]) {
    building.tally.addPassword(path, formatLabel(path))
    building.passwords.push(attribute)
  }
  if (attribute.unique && building.options.versions !== true) building.uniques.push({ attribute, path })
}

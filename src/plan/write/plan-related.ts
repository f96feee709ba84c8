// Plans a relation or media in a payload, and checks that the caller may see the entries.

import { ApiError } from '../../lib/errors/api-error.ts'
import { createInvalidKey } from '../../lib/errors/invalid-key.ts'
import type { MediaAttribute, RelationAttribute } from '../../model/attribute.ts'
import type { ContentType } from '../../model/content-type.ts'
import { explainHidden } from '../unusable-name.ts'
import { planLinks } from './plan-links.ts'
import { planMorph } from './plan-morph.ts'
import { addRelationFault, fault, formatLabel, type Path, type PayloadContext } from './write-building.ts'
import type { LinkChange } from './write-plan.ts'

export function planRelated(
  building: PayloadContext,
  attribute: RelationAttribute | MediaAttribute,
  value: unknown,
  path: Path,
): void {
  const { mode, access, looseRelations } = building.options
  const draft = building.options.draft || looseRelations === true
  const assertVisible = (type: ContentType): void => {
    if (access.visible(type)) return
    if (building.options.documents !== true) throw createHiddenEntries(attribute.name, type)
    throw createInvalidKey(attribute.name, path).because(() => explainHidden(attribute.name, type))
  }
  if (value === null && attribute.required && !draft) {
    const isMissing = mode === 'create' || building.options.documents === true
    fault(building, path, `${formatLabel(path)} ${isMissing ? 'must be defined.' : 'cannot be null.'}`)
    return
  }
  if (attribute.kind === 'relation' && attribute.target === undefined) {
    const change = planMorph(attribute, value, (count) => addRows(building, count, path))
    if (change === undefined) return
    const named = change.kind === 'set' ? change.targets : [...change.connect, ...change.disconnect]
    const places = change.kind === 'set' ? [] : change.connect.map(({ position }) => position)
    for (const { type } of [...named, ...places.filter((place) => 'id' in place)]) assertVisible(type)
    building.morphs.push({ attribute, change, access })
    return
  }
  // A caller who may write the entry may name any file, but only entries that it may find.
  if (attribute.kind === 'relation' && attribute.target !== undefined) assertVisible(attribute.target)
  const links = planLinks(attribute, value, (count) => addRows(building, count, path))
  if (links === undefined) return
  if ('fault' in links) addRelationFault(building, links.fault)
  else if (isEmptied(attribute, links.change) && !draft)
    fault(building, path, `${formatLabel(path)} cannot be empty.`)
  else building.links.push({ attribute, change: links.change, path, access })
}

function addRows({ tally }: PayloadContext, count: number, path: Path): void {
  tally.addRows(count, path, formatLabel(path))
}

/** Required media need a file; a required list of entries may be empty, as in Strapi. */
function isEmptied(attribute: RelationAttribute | MediaAttribute, change: LinkChange): boolean {
  return attribute.kind === 'media' && attribute.required && change.kind === 'set' && change.ids.length === 0
}

/** Reported, because dropping the links silently would store another entry than the author meant. */
export function createHiddenEntries(name: string, target: ContentType): ApiError {
  const refused = new ApiError('ForbiddenError', `Forbidden: "${name}" names entries that you may not find`)
  return refused.because(() => explainHidden(name, target))
}

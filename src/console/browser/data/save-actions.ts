// The ways to save an entry that its content-type and the permissions of the caller allow.

import type { Model, Type } from '../../described.ts'
import { say } from '../messages.ts'
import type { SaveAction } from './save-bar.tsx'
import { getState } from './side-panel.tsx'
import type { EntryFormState } from './use-entry-form.ts'

/** The main way first; empty without a permission. */
export function listActions(type: Type, model: Model, form: EntryFormState): readonly SaveAction[] {
  const { entry } = form.state
  const isNew = entry === undefined || entry === null
  const dirty = form.changed.length > 0
  const isDocument = model.dialect === 'strapi-5'
  const needed = isNew && type.kind === 'collectionType' ? 'create' : 'update'
  if (!type.may.includes(needed)) return []
  const save = (label: string, publish?: boolean): SaveAction => ({
    label,
    disabled: !isNew && !dirty,
    run: () => void form.save(publish),
  })
  if (!type.draftAndPublish) return [save(isNew ? say('Create') : say('Save'))]
  const mayPublish = type.may.includes(isDocument ? 'publish' : needed)
  if (isNew)
    return [
      save(say('Create a draft'), false),
      ...(mayPublish ? [save(say('Create and publish'), true)] : []),
    ]
  const state = getState(model, entry)
  if (!isDocument && state === 'published') return [save(say('Save'))]
  const publish = {
    label: say('Publish'),
    disabled: state === 'published' && !dirty,
    run: () => void form.setPublished(true),
  }
  return [save(say('Save draft')), ...(mayPublish ? [publish] : [])]
}

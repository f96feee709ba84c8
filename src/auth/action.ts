// Everything that a permission can allow: the actions of a model and of the plugins that take part in it.

import { actionsOfModel } from '../model/actions.ts'
import type { ModelContribution } from '../model/contribution.ts'
import type { Model } from '../model/model.ts'

/** `api::<api>.<type>.<action>` or `plugin::<plugin>.<controller>.<action>`, in the order of the model. */
export function allActions(model: Model, contributions: readonly ModelContribution[]): ReadonlySet<string> {
  return actionsOfModel(
    model,
    contributions.flatMap(({ actions }) => actions ?? []),
  )
}

/** The name of an action: `find` of `api::article.article.find`. */
export function actionName(action: string): string {
  return action.slice(action.lastIndexOf('.') + 1)
}

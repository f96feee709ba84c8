// Describes the model of the live app for the pages.

import type { ConsoleContext, LiveApp } from './console-context.ts'
import { describeTypes } from './describe-types.ts'
import type { Model } from './described.ts'

/** Cached by app, since finding the lines reads the file and its `data` again. */
const described = new WeakMap<LiveApp, Model>()

export async function readModel({ place, check }: ConsoleContext): Promise<Model> {
  const live = place()
  const known = described.get(live)
  if (known !== undefined) return known
  const { source, config } = await check()
  const model = describeTypes(live, source)
  // The lines of a file with errors do not match the live model.
  if (config !== undefined) described.set(live, model)
  return model
}

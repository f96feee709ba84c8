// The model of a configuration, for tests that judge by it. Throws the diagnostics of a configuration with faults.

import { checkConfig, isValid } from '../../src/app/check-config.ts'
import type { Model } from '../../src/model/model.ts'

export async function modelOf(config: Readonly<Record<string, unknown>>): Promise<Model> {
  const checked = await checkConfig(
    { object: config, directory: process.cwd() } as never,
    { env: {} } as never,
  )
  if (!isValid(checked)) throw new Error(JSON.stringify(checked.diagnostics))
  return checked.model
}

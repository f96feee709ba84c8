// The tables of a configuration that is given as an object.

import { checkConfig } from '../../../src/app/check-config.ts'
import { buildLayout } from '../../../src/storage/sql/build-layout.ts'
import type { Layout } from '../../../src/storage/sql/layout.ts'

export async function layoutOf(object: object): Promise<Layout> {
  const { model, diagnostics } = await checkConfig({ object }, { env: {} })
  if (model === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return buildLayout(model)
}

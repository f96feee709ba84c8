// A configuration with shorthands -> what it means.

import { expect } from 'vitest'
import { checkConfig } from '../../../../src/app/check-config.ts'
import type { AttributeConfig } from '../../../../src/config/config.ts'
import { printConfig } from '../../../../src/config/print-config.ts'

async function checked(object: unknown) {
  const found = await checkConfig({ object }, { env: {} })
  expect(found.diagnostics).toEqual([])
  if (found.config === undefined) throw new Error('a configuration without diagnostics is right')
  return { config: found.config, secrets: found.secrets }
}

/** As `cms-run print-config` prints it. */
export async function printed(object: unknown): Promise<string> {
  const { config, secrets } = await checked(object)
  return printConfig(config, secrets)
}

/** By `article.title`. */
export async function attributesOf(object: unknown): Promise<Readonly<Record<string, AttributeConfig>>> {
  const { config } = await checked(object)
  return Object.fromEntries(
    Object.entries(config.contentTypes).flatMap(([uid, { attributes }]) =>
      Object.entries(attributes).map(([name, attribute]) => [`${uid.split('.').at(-1)}.${name}`, attribute]),
    ),
  )
}

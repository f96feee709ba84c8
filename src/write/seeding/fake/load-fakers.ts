// Loads `@faker-js/faker` when the first fake entry is made, because loading takes 100 ms.

import type { Faker } from '@faker-js/faker'
import { REFERENCE } from './fake-scalar.ts'

/** `fr-CA` is French of Canada, else French, else English. */
export async function loadFakers(): Promise<(locale: string | undefined) => Faker> {
  const { allFakers } = await import('@faker-js/faker')
  const known = new Map<string, Faker>(Object.entries(allFakers))
  for (const faker of known.values()) faker.setDefaultRefDate(REFERENCE)
  return (locale = 'en') => {
    const name = locale.replaceAll('-', '_')
    return known.get(name) ?? known.get(name.split('_')[0] ?? '') ?? allFakers.en
  }
}

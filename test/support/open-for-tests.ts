// Opens the CMS that the tests of a `describe` share, in the database that `CMS_TEST_DATABASE` names.

import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type Cms, type CmsOptions, createCms } from '../../src/index.ts'
import { openTestDatabase, type TestDatabase } from './test-database.ts'

interface TestOptions extends CmsOptions {
  /** Whether each test begins with the content of the file. */
  readonly restores?: boolean
}

/** Must be called in a `describe`; returns the CMS while its tests run. */
export function openForTests(
  config: Parameters<typeof createCms>[0],
  { restores = false, ...options }: TestOptions = {},
): () => Cms {
  let cms: Cms | undefined
  let database: TestDatabase
  let restore: (() => Promise<void>) | undefined

  beforeAll(async () => {
    database = await openTestDatabase()
    cms = await createCms(config, { env: {}, ...options, ...database.options })
    restore = restores ? await database.keep(cms) : undefined
  })
  beforeEach(async () => restore?.())
  afterAll(async () => {
    await cms?.close()
    await database.drop()
  })

  return () => {
    if (cms === undefined) throw new Error('the CMS is open while tests run')
    return cms
  }
}

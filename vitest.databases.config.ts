// The tests of what clients see once more, over each database that lasts; `vitest.config.ts` runs them in memory.

import { defineConfig } from 'vitest/config'
import { mysqlHere } from './test/support/mysql.ts'
import { oneGraphql } from './test/support/one-graphql.ts'
import { postgresHere } from './test/support/postgres.ts'

const clients = ['sqlite']
if ((await postgresHere()) !== undefined) clients.push('postgres')
if ((await mysqlHere()) !== undefined) clients.push('mysql')

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: clients.map((client) => ({
      resolve: oneGraphql,
      test: {
        name: client,
        env: { CMS_TEST_DATABASE: client },
        include: ['test/{api,conformance,conformance5,differential}/**/*.test.ts'],
        testTimeout: 300_000,
        hookTimeout: 120_000,
        retry: process.env['CI'] === undefined ? 0 : 1,
      },
    })),
  },
})

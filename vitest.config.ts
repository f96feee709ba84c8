import { defineConfig } from 'vitest/config'
import { oneGraphql } from './test/support/one-graphql.ts'
import { listTestFiles } from './test/support/test-files.ts'

const { shared, apart } = listTestFiles()

export default defineConfig({
  resolve: oneGraphql,
  test: {
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'shared', include: shared, isolate: false } },
      { extends: true, test: { name: 'apart', include: apart } },
    ],
    // Searches everything that leaves for values that must not.
    setupFiles: ['test/support/taint/watch-everything.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A run of everything on a machine that others use asks a failed test once more, and says so ("retry x1").
    retry: process.env['CI'] === undefined ? 0 : 1,
  },
})

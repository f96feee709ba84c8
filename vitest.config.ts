import { defineConfig } from 'vitest/config'
import { oneGraphql } from './test/support/one-graphql.ts'

export default defineConfig({
  resolve: oneGraphql,
  test: {
    include: ['test/**/*.test.ts'],
    // Searches everything that leaves for values that must not.
    setupFiles: ['test/support/taint/watch-everything.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // A run of everything on a machine that others use asks a failed test once more, and says so ("retry x1").
    retry: process.env['CI'] === undefined ? 0 : 1,
  },
})

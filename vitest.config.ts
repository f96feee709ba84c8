import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Node loads one graphql, by its `main`; Vite alone would load a second one, by `module`, beside it.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    // Searches everything that leaves for values that must not.
    setupFiles: ['test/support/taint/watch-everything.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
})

// Node loads one graphql, by its `main`; Vite alone would load a second one, by `module`, beside it.

export const oneGraphql = { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] }

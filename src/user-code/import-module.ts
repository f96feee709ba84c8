// `import()` of a file by its URL. The built command line runs from kept bytecode, which has no `import()` of its own
// (decision 0027): there its loader hands one in.

type Import = (url: string) => Promise<unknown>

const HANDED_IN = Symbol.for('cms-run.import')

export const importModule: Import =
  (globalThis as { [HANDED_IN]?: Import })[HANDED_IN] ?? ((url) => import(/* @vite-ignore */ url))

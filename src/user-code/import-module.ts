// `import()` of a file by its URL. The built command line runs from cached bytecode, where `import()` does not work
// (decision 0027): its loader passes one in through a global.

type Import = (url: string) => Promise<unknown>

const HANDED_IN = Symbol.for('cms-run.import')

export const importModule: Import =
  (globalThis as { [HANDED_IN]?: Import })[HANDED_IN] ?? ((url) => import(/* @vite-ignore */ url))

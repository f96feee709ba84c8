// Dependencies whose code is in the script as well, because each start needs them: from bytecode they load in a third of the
// time that their many files take. The copy runs only where the installed package has its version: an override, or a
// newer one, is what is loaded (decision 0330).

import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import { manifestOf } from './licences.ts'

const INCLUDED = ['yaml']

/** `root` holds node_modules. */
export function includedLibraries(root: string): Plugin {
  const namespace = 'included'
  const filter = new RegExp(`^(?:${INCLUDED.join('|')})(?:/package\\.json)?$`)
  const { resolve } = createRequire(join(root, 'package.json'))
  return {
    name: 'included libraries',
    setup(bundle) {
      bundle.onResolve({ filter }, ({ path, namespace: from }) =>
        from === namespace ? { path, external: true } : { path, namespace },
      )
      bundle.onLoad({ filter, namespace }, ({ path: name }) => {
        const { version } = manifestOf(join(root, 'node_modules', name))
        const installed = `require('${name}/package.json').version === '${version}'`
        const contents = `module.exports = ${installed} ? require(${JSON.stringify(resolve(name))}) : require('${name}')`
        return { contents, resolveDir: root }
      })
    },
  }
}

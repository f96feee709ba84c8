// Becomes dist/loader.js: loads the script for the command line and for programs. Node 22 and newer keep what they have
// compiled of it in the folder for temporary files, and read that at the next start.

import module, { createRequire } from 'node:module'

module.enableCompileCache?.()

export const script = createRequire(import.meta.url)('./cms-run.cjs')

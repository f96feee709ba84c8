// Several programs through TypeScript's compiler at once, as a project of their own.

import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  target: 'es2023',
  module: 'nodenext',
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  skipLibCheck: true,
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
  lib: ['es2023', 'esnext.disposable', 'dom', 'dom.iterable'],
  paths: { 'cms-run': [join(root, 'src/index.ts')] },
}

/** Writes the files into `folder`, compiles them, and returns what the compiler says, one line a fault, by file. */
export function compilePrograms(
  folder: string,
  files: Readonly<Record<string, string>>,
  options: object = {},
): ReadonlyMap<string, readonly string[]> {
  const all = {
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify({
      compilerOptions: { ...compilerOptions, ...options },
      include: ['**/*.ts'],
    }),
    ...files,
  }
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder, '--pretty', 'false'], {
    encoding: 'utf8',
    cwd: folder,
    maxBuffer: 64 * 1024 * 1024,
  })
  const lines = stdout.split('\n').filter((line) => /^[^\s].*: error TS/.test(line))
  // What is wrong elsewhere, such as in an option, must not look like a program without faults.
  const elsewhere = lines.filter((line) => !Object.keys(all).some((name) => line.startsWith(`${name}(`)))
  if (elsewhere.length > 0) throw new Error(elsewhere.join('\n'))
  return new Map(
    Object.keys(files).map((name) => [name, lines.filter((line) => line.startsWith(`${name}(`))]),
  )
}

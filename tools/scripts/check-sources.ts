// `npm run check:sources`: exports that nobody imports, and names that CONTRIBUTING.md ("Words") forbids.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const FOLDERS = ['src', 'test', 'tools', 'examples', 'docs']

/** Names that the package exports, or that are found by name. */
const ENTRANCES = /^(src\/index\.ts|src\/cli\/bin\.ts|src\/client\/)/

const FORBIDDEN: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [
    /\bconst (?:MOST|LONGEST|LARGEST|SMALLEST|SHORTEST|DEEPEST|LEAST|FEWEST)(?:_[A-Z_]+)?\b/,
    'MAX_ or MIN_ with a unit',
  ],
  [/\b(?:interface|type|class) \w*(?:Manager|Helper|Util|Parts)\b/, 'a noun for the thing, or Options'],
  [/\bfunction\*? [a-z]\w*Of\(/, 'a verb: getX, buildX, findX, readX'],
]

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .filter((name) => /\.(?:ts|tsx|js|mjs|md)$/.test(name) && !/generated|node_modules/.test(name)),
)
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
const faults = [...unusedExports(), ...forbiddenNames()]
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1

function unusedExports(): readonly string[] {
  /** How many files have the word. */
  const counts = new Map<string, number>()
  for (const text of texts.values())
    for (const word of new Set(text.match(/\w+/g))) counts.set(word, (counts.get(word) ?? 0) + 1)
  return sources().flatMap(([file, text]) =>
    ENTRANCES.test(file)
      ? []
      : [...text.matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type|enum) (\w+)/gm)]
          .map(([, name = '']) => name)
          .filter((name) => counts.get(name) === 1)
          .map((name) => `${file}: nobody imports ${name}: do not export it`),
  )
}

function forbiddenNames(): readonly string[] {
  return sources().flatMap(([file, text]) =>
    FORBIDDEN.flatMap(([pattern, instead]) => {
      const [found] = pattern.exec(text) ?? []
      return found === undefined || file === 'src/client/content-shape.ts'
        ? []
        : [`${file}: "${found}": ${instead}`]
    }),
  )
}

function sources(): readonly (readonly [string, string])[] {
  return [...texts].filter(([file]) => file.startsWith('src/') && /\.tsx?$/.test(file))
}

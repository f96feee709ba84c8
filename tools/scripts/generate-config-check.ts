// The core's schema, the attribute types and the schemas of plugins -> src/config/generated/validate-config.js (the
// checker of the full form, which runs without ajv, whole in one file) with its types, the reference
// docs/reference/configuration.md and, with the shorthands, schemas/cms.schema.json for editors; src/client/ as text; and the
// index of the documentation, llms.txt. With `--check`, nothing is written and stale files fail.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { coreWords } from '../../src/config/shorthand/expand-shorthands.ts'
import { joinWords } from '../../src/config/shorthand/shorthand.ts'
import { writeIndex } from '../../src/console/documentation.ts'
import { pluginShorthands } from '../../src/plugins/plugin-host.ts'
import { assembleSchema, shorthandSchemas } from './assemble-schema.ts'
import { clientTextModule } from './client-text.ts'
import { formatSchema } from './format-schema.ts'
import { configReference } from './generate-config-reference.ts'
import { defaultsModule } from './generate-defaults.ts'
import { validatorOf } from './generate-validator.ts'
import { withShorthands } from './with-shorthands.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const regenerate = 'npm run generate'

const generated = `// Generated from the schemas in src by \`${regenerate}\`; do not edit.\n`

const schema = assembleSchema(join(root, 'src'))
const words = joinWords([coreWords, ...pluginShorthands])
const files = new Map([
  [
    'schemas/cms.schema.json',
    formatSchema(withShorthands(schema, shorthandSchemas(join(root, 'src'), schema, words))),
  ],
  ['src/config/generated/validate-config.js', generated + (await validatorOf(schema, root))],
  ['src/config/generated/validate-config.d.ts', types()],
  ['src/config/generated/defaults.ts', defaultsModule({ ...schema }, generated)],
  ['docs/reference/configuration.md', configReference(schema)],
  ['src/describe/generated/client-text.ts', clientTextModule(root)],
])

const isChecking = process.argv.includes('--check')
for (const [file, text] of files) update(file, text)
// The index quotes pages, also the one above.
update('llms.txt', writeIndex(''))

function update(file: string, text: string): void {
  if (readExisting(file) === text) return
  if (isChecking) {
    console.error(`${file} is stale; run: ${regenerate}`)
    process.exitCode = 1
    return
  }
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
  console.log(`wrote ${relative(process.cwd(), join(root, file))}`)
}

function readExisting(file: string): string | undefined {
  try {
    return readFileSync(join(root, file), 'utf8')
  } catch {
    return undefined
  }
}

function types(): string {
  return `${generated}
/** One fault, in the words of ajv; parentSchema is what the value was checked against. */
export interface SchemaFault {
  readonly keyword: string
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly propertyName?: string
  readonly parentSchema?: Readonly<Record<string, unknown>>
  readonly data?: unknown
}

/** True when \`value\` has the shape of a configuration; else the faults are in \`validate.errors\`. */
export const validate: {
  (value: unknown): boolean
  errors?: readonly SchemaFault[] | null
}
export default validate
`
}

// The core's schema, the attribute types and the schemas of plugins -> src/config/generated/validate-config.js (the
// checker of the full form, which runs without ajv, whole in one file) with its types, the reference
// docs/configuration.md and, with the shorthands, schemas/cms.schema.json for editors. With `--check`, nothing is
// written and stale files fail.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { build } from 'esbuild'
import { assembleSchema, shorthandSchemas } from './assemble-schema.ts'
import { formatSchema } from './format-schema.ts'
import { configReference } from './generate-config-reference.ts'
import { withShorthands } from './with-shorthands.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const regenerate = 'npm run generate'

const schema = assembleSchema(join(root, 'src'))
const files = new Map([
  ['schemas/cms.schema.json', formatSchema(withShorthands(schema, shorthandSchemas(join(root, 'src'))))],
  ['src/config/generated/validate-config.js', await validatorOf(schema)],
  ['src/config/generated/validate-config.d.ts', types()],
  ['docs/configuration.md', configReference(schema)],
])

const stale = [...files].filter(([file, text]) => readExisting(file) !== text)
if (process.argv.includes('--check')) {
  for (const [file] of stale) console.error(`${file} is stale; run: ${regenerate}`)
  process.exitCode = stale.length === 0 ? 0 : 1
} else {
  for (const [file, text] of stale) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
    console.log(`wrote ${relative(process.cwd(), join(root, file))}`)
  }
}

function readExisting(file: string): string | undefined {
  try {
    return readFileSync(join(root, file), 'utf8')
  } catch {
    return undefined
  }
}

async function validatorOf(source: object): Promise<string> {
  const ajv = new Ajv({
    allErrors: true,
    // Errors carry the schema they come from: names for "did you mean", and what a pattern wants in words.
    verbose: true,
    discriminator: true,
    strictTypes: false,
    strictRequired: false,
    validateFormats: false,
    logger: false,
    messages: false,
    code: { source: true, esm: true, optimize: 2 },
    // `elsewhere`: what to use instead of keys that are known from Strapi and not read here.
    keywords: ['patternErrorMessage', 'errorMessage', 'markdownDescription', 'elsewhere'],
  })
  const compiled = ajv.compile(source)
  const code = standalone.default(ajv, compiled)
  const bundled = await build({
    stdin: { contents: code, resolveDir: root, sourcefile: 'validate-config.js', loader: 'js' },
    bundle: true,
    // Names of modules get into the output: they must not depend on where node_modules is linked to.
    preserveSymlinks: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['main'],
    minifyWhitespace: true,
    minifySyntax: true,
    charset: 'utf8',
    legalComments: 'none',
    target: 'es2022',
  })
  const [output] = bundled.outputFiles
  if (output === undefined) throw new Error('esbuild gave no output')
  return `// Generated from the schemas in src by \`${regenerate}\`; do not edit.\n${output.text}`
}

function types(): string {
  return `// Generated from the schemas in src by \`${regenerate}\`; do not edit.

/** One fault, in the words of ajv. */
export interface SchemaFault {
  readonly keyword: string
  readonly instancePath: string
  readonly schemaPath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly propertyName?: string
  readonly schema?: unknown
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

// The schema of the full form -> the text of src/config/generated/validate-config.js: ajv's validator, which runs without ajv.
// ajv writes each fault out in some 20 lines and each definition twice; both are said once here, which leaves about a third.

import { Ajv, type Options } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { build } from 'esbuild'
import type { Schema } from './generate-config-reference.ts'

type Definitions = Readonly<Record<string, Schema>>

export const ajvOptions: Options = {
  allErrors: true,
  // Faults carry the schema they come from: names for "did you mean", and what a pattern wants in words.
  verbose: true,
  discriminator: true,
  strictTypes: false,
  strictRequired: false,
  validateFormats: false,
  logger: false,
  messages: false,
  // `elsewhere`: what to use instead of keys that are known from Strapi and not read here.
  // `names`: a value of another shape means that its name, a key of the map above, is mistyped.
  // `open`: other keys are kept, but the checker hears of them, to warn of one that is nearly a known key.
  keywords: ['patternErrorMessage', 'errorMessage', 'markdownDescription', 'elsewhere', 'open', 'names'],
}

/** `root` is the folder with node_modules. */
export async function validatorOf(schema: Schema, root: string): Promise<string> {
  const checked = withoutProse(withFaultsOfOpenMaps(schema))
  const ajv = new Ajv({ ...ajvOptions, code: { source: true, esm: true, optimize: 2 } })
  const code = standalone.default(ajv, ajv.compile(checked))
  const { outputFiles } = await build({
    stdin: {
      contents: compact(code, Object(checked.definitions)),
      resolveDir: root,
      sourcefile: 'validate-config.js',
      loader: 'js',
    },
    bundle: true,
    // Names of modules get into the output: they must not depend on where node_modules is linked to.
    preserveSymlinks: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['main'],
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    target: 'es2022',
  })
  const [output] = outputFiles
  if (output === undefined) throw new Error('esbuild gave no output')
  return output.text
}

/** The checker hears of every key that an `open` map does not know. */
export function withFaultsOfOpenMaps<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema), (_key, value) =>
    value?.open === true ? { ...value, additionalProperties: false } : value,
  )
}

/** Without what only editors and the reference page show. Messages tell keys that are `Kept for Strapi` by their description. */
export function withoutProse(schema: Schema): Schema {
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (['title', 'markdownDescription', 'default'].includes(key)) return []
    if (key === 'description' && !String(value).startsWith('Kept for Strapi')) return []
    if (['properties', 'patternProperties', 'definitions'].includes(key)) {
      const named = Object.entries(Object(value)).map(([name, one]) => [name, withoutProse(Object(one))])
      return [[key, Object.fromEntries(named)]]
    }
    return [[key, hasSchemas(key, value) ? mapSchemas(value) : value]]
  })
  return Object.fromEntries(entries)
}

const plain = new Set(['examples', 'enum', 'const', 'elsewhere', 'discriminator', 'names'])

function hasSchemas(key: string, value: unknown): value is object {
  return !plain.has(key) && typeof value === 'object' && value !== null
}

function mapSchemas(value: object): unknown {
  if (!Array.isArray(value)) return withoutProse(value)
  return value.map((one) => (typeof one === 'object' && one !== null ? withoutProse(one) : one))
}

/** Throws if ajv no longer writes what is replaced here. */
function compact(code: string, definitions: Definitions): string {
  const root = /const (schema\d+) = \{"\$schema"/.exec(code)?.[1]
  const nameOf = new Map(Object.entries(definitions).map(([name, one]) => [JSON.stringify(one), name]))
  const replacements: readonly [RegExp, (found: string, ...groups: string[]) => string][] = [
    // A definition that the whole schema holds as well.
    [
      /const (schema\d+) = (\{.*?\});(?=const |function )/g,
      (found, constant, literal = '') => {
        const name = nameOf.get(literal)
        return name === undefined ? found : `const ${constant} = ${root}.definitions.${name};`
      },
    ],
    [
      fault,
      (_, _name, path = 'instancePath', ...rest) => {
        const [keyword, params, parent, data, property] = rest
        const values = [path, keyword, params, parent, data || 'data', property].filter(Boolean)
        return `vErrors = fault(vErrors,${values.join()});errors++;`
      },
    ],
    [/(\w+)\.replace\(\/~\/g, "~0"\)\.replace\(\/\\\/\/g, "~1"\)/g, (_, key) => `pointerStep(${key})`],
  ]
  return (
    replacements.reduce((text, [pattern, replacement]) => {
      const replaced = text.replaceAll(pattern, replacement)
      if (replaced === text) throw new Error(`ajv writes nothing like ${pattern}`)
      return replaced
    }, code) + functions
  )
}

/** One fault with `verbose`: built, and added to the list. */
const fault = new RegExp(
  [
    String.raw`const (err\d+) = \{instancePath(?::(.*?))?,schemaPath:"[^"]*",keyword:("\w+"),params:(\{.*?\}),`,
    String.raw`schema:.*?,parentSchema:(schema[^,]*),data(?::?(\w*))(?:,propertyName:\s*(\w+))?\};\s*`,
    String.raw`if\(vErrors === null\)\{\s*vErrors = \[\1\];\s*\}\s*else \{\s*vErrors\.push\(\1\);\s*\}\s*errors\+\+;`,
  ].join(''),
  'g',
)

const functions = `
function fault(faults, instancePath, keyword, params, parentSchema, data, propertyName) {
  const found = { instancePath, keyword, params, parentSchema, data }
  if (propertyName !== undefined) found.propertyName = propertyName
  if (faults === null) return [found]
  faults.push(found)
  return faults
}
function pointerStep(key) {
  return key.replace(/~/g, '~0').replace(/\\//g, '~1')
}`

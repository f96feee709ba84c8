// Turns shape faults into diagnostics that say what was expected, what was found, and what was probably meant.

import { didYouMean } from '../../lib/did-you-mean.ts'
import type { Diagnostic, DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import { toKebabCase } from '../../lib/kebab-case.ts'
import { attributeTypes, explainIncompleteShorthand, suggestAttributeType } from '../attribute-types.ts'
import { describeFound, describeTypeHelp, describeTypes, getFlow } from '../describe-value.ts'
import { describeOutOfBounds, getSubject, type Words } from './shape-bounds.ts'
import type { ShapeFault } from './shape-fault.ts'

const MAX_LISTED_KEYS = 25

/** Returns the variables that a hidden value came from, if any; undefined for a value that may be shown. */
type HiddenBy = (path: DiagnosticPath) => readonly string[] | undefined

export function listDiagnostics(
  faults: readonly ShapeFault[],
  hiddenBy: HiddenBy,
  names: readonly string[],
): readonly Diagnostic[] {
  return faults.map((fault): Diagnostic => {
    const nearly = nearlyKnown(fault)
    if (nearly !== undefined) return nearly
    const { help, ...words } = formatWords(fault, hiddenBy(fault.path), names)
    return { severity: 'error', path: fault.path, ...words, ...(help === undefined ? {} : { help }) }
  })
}

function formatWords(
  fault: ShapeFault,
  hiddenBy: readonly string[] | undefined,
  names: readonly string[],
): Words {
  const { keyword, path, params, schema, found } = fault
  const subject = getSubject(path)
  const shown = hiddenBy === undefined ? describeFound(found) : (getOrigin(hiddenBy) ?? '***')
  const known = Array.isArray(schema['names']) ? schema['names'].map(String) : undefined
  if (known !== undefined && isMistypedName(fault)) return unknownPlugin(path, known)
  switch (keyword) {
    case 'additionalProperties':
      return unknownKey(fault, String(params['additionalProperty']))
    case 'required':
      return missingKey(fault, String(params['missingProperty']))
    case 'type':
      return {
        code: 'CFG010',
        message: `${subject} must be ${describeTypes(params['type'])}, found ${shown}`,
        help: hiddenBy === undefined ? typeHelp(fault) : hiddenTypeHelp(fault),
      }
    case 'enum':
      return isAttributePath(path)
        ? unknownType(fault, shown, names)
        : notAmong(fault, subject, shown, hiddenBy !== undefined)
    case 'discriminator': {
      const type = params['tagValue']
      return unknownType({ ...fault, path: [...path, 'type'], found: type }, describeFound(type), names)
    }
    case 'pattern':
      return {
        code: 'CFG014',
        message: `${subject} cannot be ${shown}`,
        help: getString(schema['patternErrorMessage']),
      }
    case 'propertyNames':
      return badName(fault, String(params['propertyName']))
    case 'not':
      return {
        code: 'CFG019',
        message: `${subject} cannot be ${shown}`,
        help: getString(schema['errorMessage']),
      }
    case 'uniqueItems': {
      const index = Math.max(Number(params['i']), Number(params['j']))
      const item = Array.isArray(found) ? describeFound(found[index]) : 'an item'
      return { code: 'CFG018', message: `${item} stands in ${subject} twice`, path: [...path, index] }
    }
    default:
      return describeOutOfBounds(fault, subject, shown)
  }
}

/** Whether the name is wrong rather than the value. */
function isMistypedName({ keyword, params }: ShapeFault): boolean {
  return keyword === 'type' || (keyword === 'required' && params['missingProperty'] === 'resolve')
}

function unknownPlugin(path: DiagnosticPath, known: readonly string[]): Words {
  const name = String(path.at(-1))
  const near = nearest(name, known)
  return {
    code: 'CFG012',
    message: `unknown key "${name}" in "plugins"`,
    path,
    at: 'key',
    help:
      near === undefined
        ? `known keys: ${getList(known)}; a plugin of your own has a file: "${name}: ./${name}.ts"`
        : `did you mean "${near}"?`,
  }
}

function getOrigin(variables: readonly string[]): string | undefined {
  return variables.length === 0 ? undefined : `the value of ${[...new Set(variables)].join(' and ')}`
}

function typeHelp({ path, params, schema, found }: ShapeFault): string | undefined {
  const name = path.at(-1)
  if (isAttributePath(path)) return `name its type, for example "${name}: string"`
  return getString(schema['errorMessage']) ?? describeTypeHelp(params['type'], found)
}

/** Omits the value, which is a secret. */
function hiddenTypeHelp({ params, schema, found }: ShapeFault): string | undefined {
  const isUnquoted = params['type'] === 'string' && ['number', 'boolean'].includes(typeof found)
  return getString(schema['errorMessage']) ?? (isUnquoted ? 'put it in quotes' : undefined)
}

/** Finds the nearest name by spelling, else by its beginning: `singularName` for `singular`. */
function nearest(word: string, known: readonly string[]): string | undefined {
  const near = didYouMean(word, known)
  if (near !== undefined || word.length < 4) return near
  const written = word.toLowerCase()
  return known.find((name) => {
    const other = name.toLowerCase()
    return other.startsWith(written) || (other.length >= 4 && written.startsWith(other))
  })
}

/** Reports a key of an open map that is nearly one of its declared keys. */
function nearlyKnown({ keyword, path, params, schema }: ShapeFault): Diagnostic | undefined {
  if (keyword !== 'additionalProperties' || schema['open'] !== true) return undefined
  const key = String(params['additionalProperty'])
  return {
    code: 'CFG078',
    severity: 'warning',
    path: [...path, key],
    at: 'key',
    message: `"${key}" in ${getSubject(path)} has no effect`,
    help: `did you mean "${didYouMean(key, Object.keys(Object(schema['properties'])))}"?`,
  }
}

function unknownKey({ path, schema, found }: ShapeFault, key: string): Words {
  const properties: Readonly<Record<string, unknown>> = Object(schema['properties'])
  const instead = Object(schema['elsewhere'])[key]
  const meant = instead === undefined ? nearest(key, Object.keys(properties)) : undefined
  const known = Object.keys(properties).filter((name) => !isForStrapi(properties[name]))
  const home =
    meant === undefined ? (misplacedAttribute(key, path, found) ?? homeOfKey(key, path, schema)) : undefined
  const list = known.length <= MAX_LISTED_KEYS ? known.map((name) => `"${name}"`).join(', ') : undefined
  return {
    code: 'CFG012',
    message: `unknown key "${key}"${path.length === 0 ? '' : ` in ${getSubject(path)}`}`,
    path: [...path, key],
    at: 'key',
    help:
      typeof instead === 'string'
        ? instead
        : meant !== undefined
          ? `did you mean "${meant}"?`
          : (home ?? (list === undefined || list === '' ? undefined : `known keys: ${list}`)),
  }
}

function misplacedAttribute(key: string, path: DiagnosticPath, found: unknown): string | undefined {
  const isDeclared = path.length === 2 && (path[0] === 'contentTypes' || path[0] === 'components')
  const value: unknown = Object(found)[key]
  if (!isDeclared || !(typeof value === 'string' || (typeof value === 'object' && value !== null)))
    return undefined
  return `an attribute stands under "attributes": "attributes: { ${key}: ${getFlow(value)} }"`
}

function missingKey({ path, found, schema }: ShapeFault, key: string): Words {
  const code = 'CFG011'
  const near = didYouMean(key, Object.keys(Object(found)))
  const known = Object.keys(schema['properties'] ?? {})
  if (near !== undefined && !known.includes(near)) {
    return {
      code: 'CFG012',
      message: `unknown key "${near}"`,
      path: [...path, near],
      at: 'key',
      help: `did you mean "${key}"?`,
    }
  }
  if (path.length === 0) {
    const help = 'a first one: "contentTypes: { article: { attributes: { title: string } } }"'
    return { code, message: `the file has no "${key}"`, help }
  }
  const help =
    key === 'type' && isAttributePath(path) ? `one of ${getList(attributeTypes)}` : getExample(key, schema)
  return { code, message: `${getSubject(path)} needs the key "${key}"`, at: 'key', help }
}

function getExample(key: string, schema: ShapeFault['schema']): string | undefined {
  if (key === 'attributes') return 'for example "attributes: { title: string }"'
  const examples: unknown = Object(Object(schema['properties'])[key]).examples
  return Array.isArray(examples) ? `for example "${key}: ${getFlow(examples[0])}"` : undefined
}

/** Keys that only Strapi's admin panel uses are accepted, but not suggested. */
function isForStrapi(property: unknown): boolean {
  return String(Object(property).description).startsWith('Kept for Strapi')
}

function unknownType({ path, found }: ShapeFault, shown: string, names: readonly string[]): Words {
  if (typeof found !== 'string') {
    return {
      code: 'CFG010',
      message: `"type" must be text, found ${shown}`,
      path,
      help: `one of ${getList(attributeTypes)}`,
    }
  }
  const incomplete = explainIncompleteShorthand(found)
  if (incomplete !== undefined) {
    return {
      code: 'CFG017',
      message: `an attribute of type "${found}" needs more than its type`,
      path,
      help: incomplete,
    }
  }
  return {
    code: 'CFG017',
    message: `unknown attribute type ${shown}`,
    path,
    help: suggestAttributeType(found, names),
  }
}

function notAmong({ schema, found }: ShapeFault, subject: string, shown: string, hidden: boolean): Words {
  const allowed = Array.isArray(schema['enum']) ? schema['enum'].map(String) : []
  const near = hidden || typeof found !== 'string' ? undefined : nearest(found, allowed)
  return {
    code: 'CFG013',
    message: `${subject} cannot be ${shown}`,
    help: near === undefined ? `one of ${getList(allowed)}` : `did you mean "${near}"?`,
  }
}

function badName({ path, schema }: ShapeFault, key: string): Words {
  const rule = Object(schema['propertyNames'])
  const limit = Number(rule.maxLength)
  const tooLong = key.length > limit
  return {
    code: 'CFG016',
    message: tooLong
      ? `a name in ${getSubject(path)} is longer than ${limit} characters`
      : `"${key}" cannot be a name in ${getSubject(path)}`,
    path: [...path, key],
    at: 'key',
    help: tooLong
      ? undefined
      : (respelled(key, String(rule.pattern), path) ?? getString(rule.patternErrorMessage)),
  }
}

/** `BlogPost` -> `did you mean "blog-post"?` */
function respelled(key: string, pattern: string, path: DiagnosticPath): string | undefined {
  if (!/^[\w .-]+$/.test(key)) return undefined
  const kebab = toKebabCase(key)
  const candidates = [kebab, key.replaceAll(/\W+/g, '_'), key.toLowerCase()]
  if (path[0] === 'components') candidates.push(`shared.${kebab}`)
  const fitting = candidates.find((name) => name !== '' && new RegExp(pattern).test(name))
  return fitting === undefined ? undefined : `did you mean "${fitting}"?`
}

function isAttributePath(path: DiagnosticPath): boolean {
  return path[2] === 'attributes' && path.length === 4
}

function getList(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(', ')
}

function getString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Hints where a misplaced key belongs (`port` under `server`), when exactly one section has such a key. */
function homeOfKey(
  key: string,
  path: DiagnosticPath,
  schema: Readonly<Record<string, unknown>>,
): string | undefined {
  if (path.length > 0) return undefined
  const definitions = Object(schema['definitions'])
  const homes = ['server', 'rest', 'database', 'plugins', 'auth'].filter((section) =>
    Object.hasOwn(Object(definitions[section]?.properties), key),
  )
  const [home] = homes
  return homes.length === 1 && home !== undefined ? `"${key}" belongs under "${home}"` : undefined
}

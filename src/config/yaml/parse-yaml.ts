// Parses YAML 1.2 into plain values with positions. Refuses unknown tags, directives and several documents,
// which YAML would accept silently.

import { type Document, isScalar, parseDocument, visit, type YAMLError, type YAMLWarning } from 'yaml'
import type { Diagnostic } from '../../lib/errors/diagnostic.ts'
import { indentJson } from './indent-json.ts'
import { linkAliases } from './link-aliases.ts'
import { createSourceTree, type SourceTree } from './source-tree.ts'
import { createSyntaxFault, tooDeep } from './syntax-fault.ts'
import { createSource, type GrowingSource } from './yaml-source.ts'
import { readValue } from './yaml-value.ts'

export interface ParsedYaml {
  readonly value: unknown
  readonly source: GrowingSource
  readonly diagnostics: readonly Diagnostic[]
}

export type ParseYaml = (text: string, name: string) => ParsedYaml | Promise<ParsedYaml>

export interface ReadYaml {
  readonly value: unknown
  readonly diagnostics: readonly Diagnostic[]
  tree?(): SourceTree
}

export const MAX_YAML_BYTES = 4 * 1024 * 1024

export function parseYaml(text: string, name: string): ParsedYaml {
  const { value, diagnostics, tree } = readYaml(text)
  return { value, diagnostics, source: createSource(name, text, tree) }
}

/** Never throws. */
export function readYaml(text: string): ReadYaml {
  const early = earlyFault(text)
  if (early !== undefined) return { value: undefined, diagnostics: [early] }
  const document = composePasted(text)
  if (document === undefined) return { value: undefined, diagnostics: [tooDeep] }
  const [fault] = document.errors
  // Reports only the first syntax error, since later ones are mostly its consequences.
  if (fault !== undefined)
    return { value: undefined, diagnostics: [createSyntaxFault(fault, document, text)] }
  const aliases = linkAliases(document, text)
  const { contents } = document
  const tree = (): SourceTree => createSourceTree(contents, aliases)
  if (contents === null || isBlank(document)) return { value: undefined, diagnostics: [emptyFile], tree }
  const { value, diagnostics } = readValue(contents, aliases, text)
  const faults = [...document.warnings.map((warning) => tagFault(warning, text)), ...diagnostics]
  return { value: faults.length === 0 ? value : undefined, diagnostics: faults, tree }
}

const emptyFile: Diagnostic = {
  code: 'CFG004',
  severity: 'error',
  path: [],
  message: 'the file is empty',
  help: 'a first content-type: "contentTypes: { article: { attributes: { title: string } } }"',
}

function earlyFault(text: string): Diagnostic | undefined {
  if (text.length > MAX_YAML_BYTES) {
    return {
      code: 'CFG005',
      severity: 'error',
      path: [],
      message: `the file is larger than ${MAX_YAML_BYTES / 1024 / 1024} MB`,
      help: 'move entries into a file of their own: "data: ./seed.json"',
    }
  }
  // Finds directives, which come before the content: `%YAML 1.1` would make `no` a boolean and `010` eight.
  const directive = /^(?:[ \t]*(?:#.*)?\r?\n)*(%.*)/.exec(text)
  if (directive?.[1] === undefined) return undefined
  const end = directive[0].length
  return {
    code: 'CFG024',
    severity: 'error',
    path: [],
    range: [end - directive[1].length, end],
    message: 'YAML directives are not read',
    help: 'remove the line; the file is read as YAML 1.2',
  }
}

function compose(text: string): Document.Parsed | undefined {
  try {
    // The library's `uniqueKeys` compares all pairs of keys: 20,000 keys would take five seconds.
    return parseDocument(text, {
      version: '1.2',
      schema: 'core',
      uniqueKeys: false,
      prettyErrors: false,
      resolveKnownTags: false,
    })
  } catch {
    // The composer recurses, and does not catch a stack overflow everywhere.
    return undefined
  }
}

function composePasted(text: string): Document.Parsed | undefined {
  const document = compose(text)
  if (document === undefined || document.errors.length === 0) return document
  const indented = indentJson(text)
  const again = indented === undefined ? undefined : compose(indented.text)
  if (indented === undefined || again === undefined || again.errors.length > 0) return document
  const { original } = indented
  visit(again, {
    Node(_key, node) {
      if (node.range) node.range = [original(node.range[0]), original(node.range[1]), original(node.range[2])]
    },
  })
  for (const warning of again.warnings) warning.pos = [original(warning.pos[0]), original(warning.pos[1])]
  return again
}

function isBlank(document: Document.Parsed): boolean {
  const { contents } = document
  const [start = 0, end = 0] = contents?.range ?? []
  return (start === end || (isScalar(contents) && contents.value === null)) && contents?.tag === undefined
}

/** Reports unknown tags: the parser only warns of them, and reads the value as text. */
function tagFault({ pos: [start, end] }: YAMLError | YAMLWarning, text: string): Diagnostic {
  const tag = text.slice(start, end)
  const help = tag.startsWith('!env')
    ? `the environment is read with "\${NAME}"`
    : 'remove the tag; nothing in this file is run as code'
  return {
    code: 'CFG032',
    severity: 'error',
    path: [],
    range: [start, end],
    message: `unknown tag "${tag}"`,
    help,
  }
}

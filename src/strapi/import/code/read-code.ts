// Reads code of a Strapi project without running it: esbuild removes types and comments, and the declarations
// are parsed.

import { SourceMap } from 'node:module'
import { extname } from 'node:path'
import type { Loader } from 'esbuild'
import { readRegularFile } from '../../../lib/read-regular-file.ts'
import type { CodeValue } from './parse-expression.ts'
import { parseModule } from './parse-module.ts'
import { scanTokens, type Token } from './scan-tokens.ts'

export interface Code {
  readonly exported: CodeValue | undefined
  /** Undefined if the file cannot be read or parsed. */
  readonly tokens: readonly Token[] | undefined
  /** From 1. */
  lineAt(offset: number): number
}

const MAX_BYTES = 1024 * 1024
const LOADERS: Readonly<Record<string, Loader>> = {
  '.js': 'js',
  '.mjs': 'js',
  '.cjs': 'js',
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.json': 'json',
}

export async function readCode(file: string): Promise<Code> {
  const notUnderstood: Code = { exported: undefined, tokens: undefined, lineAt: () => 1 }
  const read = await readRegularFile(file, MAX_BYTES)
  if (!read.ok) return notUnderstood
  const { transform } = await import('esbuild')
  try {
    const { code, map } = await transform(read.bytes.toString('utf8'), {
      loader: LOADERS[extname(file)] ?? 'js',
      sourcemap: 'external',
      sourcesContent: false,
      legalComments: 'none',
      charset: 'ascii',
      tsconfigRaw: {},
      supported: { 'template-literal': false },
      logLevel: 'silent',
    })
    const tokens = scanTokens(code)
    const lines = new SourceMap(JSON.parse(map))
    return {
      tokens,
      exported: tokens && parseModule(tokens),
      lineAt(offset) {
        const before = code.slice(0, offset).split('\n')
        const entry = lines.findEntry(before.length - 1, before.at(-1)?.length ?? 0)
        return 'originalLine' in entry ? entry.originalLine + 1 : 1
      },
    }
  } catch {
    return notUnderstood
  }
}

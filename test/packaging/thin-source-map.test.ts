// The thinned source map leads every position that the whole one knows to the same file and line.

import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { thinSourceMap } from '../../tools/scripts/thin-source-map.ts'

const root = join(import.meta.dirname, '../..')

test('every position of ours keeps its file and line, those of libraries lead nowhere', async () => {
  const { outputFiles } = await build({
    stdin: {
      resolveDir: root,
      contents: "export * from './src/plan/operators.ts'; export * from 'pluralize'",
    },
    outfile: join(root, 'dist/operators.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    minify: true,
    write: false,
    sourcemap: 'linked',
    sourcesContent: false,
  })
  const [json = '', code = ''] = outputFiles.map(({ text }) => text)
  const thin = thinSourceMap(json)
  expect(thin.length).toBeLessThan(json.length / 2)
  const [before, after] = [json, thin].map((text) => new SourceMap(JSON.parse(text)))
  let ours = 0
  for (const [line, text] of code.split('\n').entries()) {
    for (let column = 0; column < text.length; column++) {
      const was = Object(before?.findEntry(line, column))
      const is = Object(after?.findEntry(line, column))
      const expected =
        was.originalSource?.includes('node_modules') === false
          ? [was.originalSource, was.originalLine]
          : [undefined, undefined]
      if (was.originalSource?.includes('node_modules') === false) ours++
      expect([is.originalSource, is.originalLine]).toEqual(expected)
    }
  }
  expect(ours).toBeGreaterThan(1000)
})

import { describe, expect, test } from 'vitest'
import { formatReport } from '../../../src/config/format-diagnostic.ts'
import { parseYaml } from '../../../src/config/yaml/parse-yaml.ts'
import type { Diagnostic } from '../../../src/lib/errors/diagnostic.ts'

const { source } = parseYaml('first: 1\nsecond: { key: value, password: hunter2 }\nthird: x\n', 'a, b:c.yaml')

const one: Diagnostic = {
  code: 'CFG012',
  severity: 'error',
  path: ['second', 'key'],
  at: 'key',
  message: 'unknown key "key"',
  help: 'did you mean\n100% of "kay"?',
}
const two: Diagnostic = { code: 'CFG001', severity: 'warning', path: ['first'], message: 'first is odd' }

describe('text', () => {
  test('in the order of the file, each once, with a summary', () => {
    expect(formatReport(source, [one, two, { ...one }], { colors: false })).toBe(
      [
        'warning[CFG001]: first is odd',
        '  --> a, b:c.yaml:1:8',
        '  |',
        '1 | first: 1',
        '  |        ^',
        '',
        'error[CFG012]: unknown key "key"',
        '  --> a, b:c.yaml:2:11',
        '  |',
        '2 | second: { key: value, password: *** }',
        '  |           ^^^',
        '  = help: did you mean\\u000a100% of "kay"?',
        '',
        '1 error, 1 warning in a, b:c.yaml',
        '',
      ].join('\n'),
    )
  })

  test('the order of finding does not matter', () => {
    const options = { colors: false }
    expect(formatReport(source, [one, two], options)).toBe(formatReport(source, [two, one], options))
  })

  test('colours only when asked', () => {
    const plain = formatReport(source, [one, two], { colors: false })
    const colored = formatReport(source, [one, two], { colors: true })
    expect(plain).not.toContain('\x1b')
    expect(colored).toContain('\x1b[1;31merror[CFG012]\x1b[0m')
    expect(colored).toContain('\x1b[1;33mwarning[CFG001]\x1b[0m')
    expect(colored.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g'), '')).toBe(plain)
  })

  test('nothing for nothing', () => {
    expect(formatReport(source, [], { colors: false })).toBe('')
  })
})

describe('json', () => {
  test('an object for each', () => {
    expect(JSON.parse(formatReport(source, [one, two], { colors: false, format: 'json' }))).toEqual([
      {
        code: 'CFG001',
        severity: 'warning',
        message: 'first is odd',
        file: 'a, b:c.yaml',
        line: 1,
        column: 8,
        endLine: 1,
        endColumn: 9,
        path: ['first'],
      },
      {
        code: 'CFG012',
        severity: 'error',
        message: 'unknown key "key"',
        help: 'did you mean\n100% of "kay"?',
        file: 'a, b:c.yaml',
        line: 2,
        column: 11,
        endLine: 2,
        endColumn: 14,
        path: ['second', 'key'],
      },
    ])
  })

  test('an empty list for nothing', () => {
    expect(formatReport(source, [], { colors: false, format: 'json' })).toBe('[]\n')
  })
})

test('github: what separates is escaped', () => {
  expect(formatReport(source, [one, two], { colors: false, format: 'github' })).toBe(
    [
      '::warning file=a%2C b%3Ac.yaml,line=1,endLine=1,col=8,endColumn=9,title=CFG001::first is odd',
      '::error file=a%2C b%3Ac.yaml,line=2,endLine=2,col=11,endColumn=14,title=CFG012::unknown key "key"%0Ahelp: did you mean%0A100%25 of "kay"?',
      '',
    ].join('\n'),
  )
})

describe('frames', () => {
  const frameOf = (text: string, range: readonly [number, number]) => {
    const parsed = parseYaml(text, 'x.yaml')
    const report = formatReport(parsed.source, [{ ...two, range }], { colors: false })
    return report.split('\n').slice(3, 5)
  }

  test.each<[string, string, [number, number], string, string]>([
    ['a range over lines: to the end of the first', 'ab: |\n  x\n', [0, 9], '1 | ab: |', '  | ^^^^^'],
    ['an empty range: one caret', 'ab: x\n', [4, 4], '1 | ab: x', '  |     ^'],
    ['the end of a line: a caret behind it', 'ab: x\n', [5, 5], '1 | ab: x', '  |      ^'],
    ['wide characters', '日本: x\n', [4, 5], '1 | 日本: x', '  |       ^'],
    ['an accent on its own', 'e\u0301: x\n', [4, 5], '1 | e\u0301: x', '  |    ^'],
    ['an emoji of two units', '🍜: x\n', [4, 5], '1 | 🍜: x', '  |     ^'],
    ['a tab', 'a:\tx\n', [3, 4], '1 | a: x', '  |    ^'],
    ['text that turns around', 'a: "\u202ex"\n', [3, 4], '1 | a: "�x"', '  |    ^'],
    ['a secret', 'password: abc # x\n', [10, 13], '1 | password: *** # x', '  |           ^^^'],
    [
      'behind a secret',
      '{ token: abcdefgh, b: x }\n',
      [22, 23],
      '1 | { token: ***, b: x }',
      '  |                  ^',
    ],
    [
      'a reference is no secret',
      'token: $' + '{TOKEN}\n',
      [7, 15],
      '1 | token: $' + '{TOKEN}',
      '  |        ^^^^^^^^',
    ],
  ])('%s', (_name, text, range, line, marks) => {
    expect(frameOf(text, range)).toEqual([line, marks])
  })

  test('a secret over several lines is hidden on each', () => {
    const text = 'token: |\n  one\n  two\nx: y\n'
    expect(frameOf(text, [11, 14]).join('\n')).not.toContain('one')
    expect(frameOf(text, [17, 20]).join('\n')).not.toContain('two')
  })

  test('a line of 100,000 characters is cut around the caret', () => {
    const text = `a: [${'x, '.repeat(50_000)}here]\n`
    const at = text.indexOf('here')
    const [line = '', marks = ''] = frameOf(text, [at, at + 4])
    expect(line.length).toBeLessThan(120)
    expect(line.slice(marks.indexOf('^'), marks.lastIndexOf('^') + 1)).toBe('here')
  })
})

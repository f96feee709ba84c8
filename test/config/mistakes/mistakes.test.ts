// A thousand mechanical mistakes in files that are right: what `validate` says of them. Prints a table. With `LONG=1` all
// of them, otherwise a sample.

import { cpSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { takeLeaks } from '../../support/taint/trap.ts'
import { judge, type Verdict } from './judge.ts'
import { type Kind, kinds, type Mistake, mistakeOf, randomOf } from './mutate.ts'
import { sitesOf } from './sites.ts'

const root = join(import.meta.dirname, '../../..')
const files = [
  'cms.yaml',
  'examples/blog.yaml',
  'examples/shop.yaml',
  'examples/multilingual.yaml',
  'examples/templates/blog.yaml',
  'examples/templates/shop.yaml',
  'examples/templates/site.yaml',
  'examples/templates/calendar.yaml',
]
const long = process.env['LONG'] === '1'
const each = long ? 126 : Number(process.env['EACH'] ?? 16)
const SEED = Number(process.env['SEED'] ?? 16)

interface Judged extends Verdict {
  readonly mistake: Mistake
  readonly file: string
}

/** Labels of the values in the reports that are not to be shown. */
let leaks: readonly string[] = []

const judged = new Map<Kind, Judged[]>(kinds.map((kind) => [kind, []]))

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cms-run-mistakes-'))
  cpSync(join(root, 'examples'), join(folder, 'examples'), { recursive: true })
  const texts = files.map((name) => {
    const text = readFileSync(join(root, name), 'utf8')
    return { name, text, sites: sitesOf(text), place: join(folder, name, '..', `broken-${basename(name)}`) }
  })
  for (const kind of kinds) {
    const random = randomOf(SEED + kinds.indexOf(kind))
    for (let tries = 0; (judged.get(kind)?.length ?? 0) < each && tries < each * 20; tries++) {
      const one = texts[tries % texts.length]
      const mistake = one && mistakeOf(kind, one.text, one.sites, random)
      if (one === undefined || mistake === undefined) continue
      const verdict = await judge(mistake, one.text, one.place)
      if (verdict.outcome !== 'same') judged.get(kind)?.push({ ...verdict, mistake, file: one.name })
    }
  }
  leaks = takeLeaks().flatMap(({ canaries }) => canaries)
  console.log(table())
}, 900_000)

function table(): string {
  const rows = [...judged].map(([kind, list]) => {
    const count = (outcome: Verdict['outcome']) => list.filter((one) => one.outcome === outcome).length
    const typos = list.filter(({ mistake }) => mistake.meant !== undefined)
    const suggested = typos.filter((one) => one.suggested).length
    return [
      kind,
      list.length,
      count('on the line'),
      count('elsewhere'),
      count('silent'),
      typos.length === 0 ? '' : suggested,
    ]
  })
  const head = ['mistake', 'made', 'on the line', 'elsewhere', 'silent', 'right suggestion']
  return [head, ...rows].map((row) => row.map((cell) => String(cell).padEnd(17)).join('')).join('\n')
}

const all = (): readonly Judged[] => [...judged.values()].flat()

/** What went wrong, to be read in the failure. */
const shown = (list: readonly Judged[]): string =>
  list
    .slice(0, Number(process.env['SHOW'] ?? 5))
    .map(({ mistake, file, report }) => {
      const [line = 0] = mistake.lines
      return `${mistake.kind}, ${file}:${line}: ${mistake.text.split('\n')[line - 1]}\n${report.slice(0, 900)}`
    })
    .join('\n')

describe('mechanical mistakes', () => {
  test('each kind was made as often as planned', () => {
    for (const kind of kinds) expect(judged.get(kind)?.length, kind).toBe(each)
  })

  // What says the same in another form (`article:` for `articles:` in data, `users:` at the top) is no mistake.
  test('none is accepted in silence', () => {
    const silent = all().filter(({ outcome }) => outcome === 'silent')
    expect(silent.length, shown(silent)).toBe(0)
  })

  test('98 % of the others are reported on their line', () => {
    const others = all().filter(({ outcome }) => outcome !== 'silent')
    const elsewhere = others.filter(({ outcome }) => outcome !== 'on the line')
    expect(elsewhere.length / others.length, shown(elsewhere)).toBeLessThanOrEqual(0.02)
  })

  test('of typos, 90 % get the right suggestion', () => {
    const typos = all().filter(({ mistake }) => mistake.meant !== undefined)
    const bare = typos.filter(({ suggested }) => !suggested)
    expect(bare.length / typos.length, shown(bare)).toBeLessThanOrEqual(0.1)
  })

  test('no report shows a secret', () => {
    // The line of a fault may show a private attribute of `data`: a broken file does not say what is private.
    expect(leaks.filter((label) => !label.startsWith('api::'))).toEqual([])
  })

  test('no report holds a stack trace', () => {
    const traces = all().filter(({ report }) => /^\s+at .+:\d+:\d+/m.test(report))
    expect(traces.length, shown(traces)).toBe(0)
  })
})

// Mechanical mistakes: each kind breaks a valid file at one place, as fingers do.

import { type Site, vocabulary } from './sites.ts'

export const kinds = [
  'typo in a key',
  'typo in a name',
  'wrong indent',
  'wrong type',
  'moved key',
  'missing colon',
  'tab',
  'duplicate key',
] as const
export type Kind = (typeof kinds)[number]

export interface Mistake {
  readonly kind: Kind
  readonly text: string
  /** Lines, from 1, where a report is right. */
  readonly lines: readonly number[]
  /** The word that was mistyped. */
  readonly meant?: string
}

export type Random = (below: number) => number

/** Numbers from 0 to `below` - 1, the same for the same seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

/** Undefined when the place that chance chose allows no mistake of the kind. */
export function mistakeOf(
  kind: Kind,
  text: string,
  sites: readonly Site[],
  random: Random,
): Mistake | undefined {
  const pick = <T>(list: readonly T[]): T | undefined => list[random(list.length)]
  const keys = sites.filter(({ role }) => role === 'key')
  switch (kind) {
    case 'typo in a key':
      return typo(kind, text, pick(keys), random)
    case 'typo in a name':
      return typo(kind, text, pick(sites.filter(({ role }) => role === 'value')), random)
    case 'wrong type':
      return wrongType(text, pick(keys.filter(isSetting)), random)
    default:
      return wrongLine(kind, text, keys, random)
  }
}

function typo(kind: Kind, text: string, site: Site | undefined, random: Random): Mistake | undefined {
  if (site === undefined) return undefined
  const { word, start, end } = site
  const letters = [...word.matchAll(/[a-z]/gi)].map(({ index }) => index)
  const at = letters[random(letters.length)]
  if (at === undefined || word.length < 4) return undefined
  const other = 'abcdefghijklmnopqrstuvwxyz'[random(26)] ?? 'x'
  const next = word[at + 1] ?? ''
  const typed = [
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + other + word.slice(at),
    word.slice(0, at) + other + word.slice(at + 1),
    word.slice(0, at) + next + (word[at] ?? '') + word.slice(at + 2),
  ][random(4)]
  // What spells another word of the language is no typo that anybody could see.
  if (typed === undefined || typed === word || vocabulary.has(typed)) return undefined
  return {
    kind,
    text: text.slice(0, start) + typed + text.slice(end),
    lines: [lineOf(text, start)],
    meant: word,
  }
}

/** Data is content, where another type may be right. */
function isSetting({ path, value }: Site): boolean {
  return path[0] !== 'data' && value !== undefined && typeof path.at(-1) === 'string'
}

function wrongType(text: string, site: Site | undefined, random: Random): Mistake | undefined {
  const { data, start, end } = site?.value ?? {}
  if (start === undefined || end === undefined) return undefined
  const others =
    typeof data === 'boolean'
      ? ['yes', '5', '[true]', '{ on: true }']
      : typeof data === 'number'
        ? ['ten', 'true', '[1]', '{ value: 1 }']
        : typeof data === 'string'
          ? ['{ name: a }', '[[a]]', '5.5']
          : ['5', 'true', '2.5']
  const other = others[random(others.length)] ?? ''
  return {
    kind: 'wrong type',
    text: text.slice(0, start) + other + text.slice(end),
    lines: [lineOf(text, start)],
  }
}

function wrongLine(kind: Kind, text: string, keys: readonly Site[], random: Random): Mistake | undefined {
  const lines = text.split('\n')
  const of = (site: Site): number => lineOf(text, site.start) - 1
  const first = (site: Site): boolean =>
    /^\s*$/.test(text.slice(text.lastIndexOf('\n', site.start - 1) + 1, site.start))
  const ownLine = keys.filter(first)
  const site = ownLine[random(ownLine.length)]
  if (site === undefined) return undefined
  const at = of(site)
  const line = lines[at] ?? ''
  const indent = /^ */.exec(line)?.[0].length ?? 0
  const edited = (changed: readonly string[], ...right: number[]): Mistake => ({
    kind,
    text: changed.join('\n'),
    lines: right.map((one) => one + 1),
  })
  switch (kind) {
    case 'wrong indent': {
      const by = [-2, -1, 1, 2][random(4)] ?? 1
      if (indent + by < 0) return undefined
      return edited(lines.with(at, ' '.repeat(indent + by) + line.trimStart()), at)
    }
    case 'tab': {
      if (indent === 0) return undefined
      const rest = random(2) === 0 ? '' : line.slice(0, Math.max(0, indent - 2))
      return edited(lines.with(at, `${rest}\t${line.trimStart()}`), at)
    }
    case 'missing colon':
      return edited(lines.with(at, line.replace(/^(\s*[\w.:'"-]*\w['"]?):(?=\s|$)/, '$1')), at)
    case 'duplicate key':
      if (site.value === undefined) return undefined
      return edited(lines.toSpliced(at, 0, line), at, at + 1)
    case 'moved key': {
      if (site.value === undefined || site.path[0] === 'data') return undefined
      // To where the keys of another section stand.
      const others = ownLine.filter(
        (one) => sectionOf(one) !== sectionOf(site) && one.path[0] !== 'data' && one.path.length > 1,
      )
      const other = others[random(others.length)]
      if (other === undefined) return undefined
      const place = of(other)
      const moved = `${' '.repeat(/^ */.exec(lines[place] ?? '')?.[0].length ?? 0)}${line.trimStart()}`
      const without = lines.toSpliced(at, 1)
      const to = place > at ? place - 1 : place
      return edited(without.toSpliced(to, 0, moved), to)
    }
    default:
      return undefined
  }
}

/** Content-types and components have keys in common. */
function sectionOf({ path }: Site): string {
  const section = String(path[0])
  return section === 'components' || section === 'singleTypes' ? 'contentTypes' : section
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

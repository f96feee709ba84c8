// The licences of what others wrote and the package holds: libraries in the script and in the console's
// pages, and what GraphiQL's script is made of.
// Packages whose licences differ only in the copyright share one text.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'
import { explorerFiles } from '../../src/plugins/graphql/http/explorer-files.ts'

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly license: string
  /** The older way. */
  readonly licenses?: readonly { readonly type: string }[]
  readonly dependencies?: Readonly<Record<string, string>>
}

/**
 * `root` holds node_modules; `pages` are those of the console. Throws if a library in the script or the pages has no text
 * of its licence.
 */
export function licences(root: string, script: Metafile, pages: Metafile): string {
  const bundled = bundledPackages(root, script, pages)
  const parts = bundled.flatMap(({ part, folders }) => [
    `In ${part}\n${'='.repeat(80)}\n`,
    // Some of the explorer's packages hold no text.
    ...grouped(root, folders, part === EXPLORER),
  ])
  return parts.join('\n')
}

const EXPLORER = 'dist/explorer'

/** The folders, below `root`, of packages whose code is in a part of dist/. */
export function bundledPackages(
  root: string,
  script: Metafile,
  pages: Metafile,
): readonly { readonly part: string; readonly folders: ReadonlySet<string> }[] {
  return [
    { part: 'dist/cms-run.cjs', folders: packagesIn(script) },
    { part: 'dist/console', folders: packagesIn(pages) },
    { part: EXPLORER, folders: explorerPackages(root) },
  ]
}

/** Folders below `root`. */
function packagesIn({ inputs }: Metafile): ReadonlySet<string> {
  const folders = Object.keys(inputs).flatMap(
    (input) => /node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0] ?? [],
  )
  return new Set(folders)
}

/** GraphiQL's script holds what it depends on. */
function explorerPackages(root: string): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (name: string): void => {
    const folder = `node_modules/${name}`
    if (found.has(folder) || !existsSync(join(root, folder, 'package.json'))) return
    found.add(folder)
    for (const dependency of Object.keys(manifestOf(join(root, folder)).dependencies ?? {})) add(dependency)
  }
  for (const { source } of explorerFiles) add(source.split('/')[0] ?? '')
  return found
}

/** Some of the explorer's packages hold no text (`optional`): there the name of the licence has to do. */
function grouped(root: string, folders: ReadonlySet<string>, optional: boolean): readonly string[] {
  const groups = new Map<string, { readonly packages: string[]; readonly text: string }>()
  for (const folder of [...folders].sort()) {
    const path = join(root, folder)
    const { name, version, license } = manifestOf(path)
    const { copyright, text } = partsOf(licenceText(path, optional))
    const key = text.replaceAll(/\s+/g, ' ')
    const group = groups.get(key) ?? { packages: [], text }
    groups.set(key, group)
    group.packages.push([`${name} ${version} (${license})`, ...copyright].join('\n    '))
  }
  return [...groups.values()].map(
    ({ packages, text }) => `${packages.join('\n')}\n\n${text}\n\n${'-'.repeat(80)}\n`,
  )
}

/** The lines before the terms that say whose it is, and the rest without the title. */
function partsOf(licence: string): { readonly copyright: readonly string[]; readonly text: string } {
  const lines = licence.replaceAll('\r', '').split('\n')
  const copyright = lines.filter((line) => /^\s*(copyright \(c\)|copyright ©|copyright \d)/i.test(line))
  const rest = lines.filter((line) => !copyright.includes(line) && !/^\W*(the )?mit license\b/i.test(line))
  return { copyright: copyright.map((line) => line.trim()), text: rest.join('\n').trim() }
}

/** From a file of its own, or the section of the README where some packages keep it. */
function licenceText(path: string, optional: boolean): string {
  const files = readdirSync(path)
  const file = files.find((candidate) => /^licen[cs]e(\.(md|txt))?$/i.test(candidate))
  if (file !== undefined) return readFileSync(join(path, file), 'utf8').trim()
  const readme = files.find((candidate) => /^readme(\.md)?$/i.test(candidate))
  const text = readme === undefined ? '' : readFileSync(join(path, readme), 'utf8')
  const section = /^#+ licen[cs]e\s*\n([\s\S]*?)(?=^#|$(?![\s\S]))/im.exec(text)?.[1]?.trim()
  if (section !== undefined && section.length >= 100) return section
  if (!optional) throw new Error(`${path} has no text of its licence`)
  return 'The package holds no text of it.'
}

export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

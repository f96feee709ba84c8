// Every file and folder that a README of a room, or ARCHITECTURE.md, names is there.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const pages = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...['src', 'test', 'tools', 'docs'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((name) => name.endsWith('README.md') && !name.includes('node_modules')),
  ),
]
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })

test.each(pages)('%s names files that are there', (page) => {
  const folder = dirname(page)
  const text = readFileSync(join(root, page), 'utf8')
  const named = [...text.matchAll(/`(\w[\w./-]*\.(?:tsx?|json))`/g)].map(([, name = '']) => name)
  const isRoot = folder === '.'
  const isThere = (name: string): boolean =>
    ['', 'src', folder, dirname(folder)].some((start) => existsSync(join(root, start, name))) ||
    // A file of a folder within.
    sources.some(
      (source) => (isRoot || join('src', source).startsWith(folder)) && source.endsWith(`/${name}`),
    )
  expect(named.filter((name) => !isThere(name))).toEqual([])
})

// Lists folders of a Strapi project.

import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { StrapiFault } from './strapi-source.ts'

/** Excludes type declarations and tests. */
const CODE = /(?<!\.d|\.test|\.spec)\.(?:[cm]?[jt]s|json)$/

export async function listFolders(folder: string): Promise<readonly string[]> {
  return (await entriesIn(folder)).filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

export async function listFiles(folder: string): Promise<readonly string[]> {
  return (await entriesIn(folder)).filter((entry) => entry.isFile()).map(({ name }) => name)
}

/** Includes symbolic links, which may lead to code. */
export async function listCodeFiles(folder: string): Promise<readonly string[]> {
  const entries = await entriesIn(folder)
  return entries
    .filter((entry) => !entry.isDirectory() && CODE.test(entry.name))
    .map(({ name }) => join(folder, name))
}

async function entriesIn(folder: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.filter(({ name }) => !name.startsWith('.')).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw new StrapiFault(`${folder} cannot be read: ${code}`)
  }
}

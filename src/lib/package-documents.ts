// Lists and reads the documentation that is in this package.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownPackage } from './package-root.ts'

let known: readonly string[] | undefined

/** Paths of pages and schemas, from the folder of the package on. */
export function listDocuments(): readonly string[] {
  known ??= ['docs', 'skills', 'schemas']
    .flatMap((folder) =>
      readdirSync(join(ownPackage().folder, folder), { recursive: true, encoding: 'utf8' }).map(
        (path) => `${folder}/${path.replaceAll('\\', '/')}`,
      ),
    )
    .filter((path) => /\.(?:md|schema\.json)$/.test(path) && !path.includes('/decisions/'))
    .concat('README.md')
    .sort()
  return known
}

export function readDocument(path: string): string {
  return readFileSync(join(ownPackage().folder, path), 'utf8')
}

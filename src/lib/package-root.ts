// Finds this package's folder; sources and bundle are at different depths.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly engines?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

interface OwnPackage {
  readonly folder: string
  readonly manifest: Manifest
}

/** Throws when the package is not complete. */
export function ownPackage(): OwnPackage {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    try {
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
      if (manifest.name === 'cms-run') return { folder, manifest }
    } catch {
      // The parent folder is tried.
    }
    if (dirname(folder) === folder) throw new Error('the package.json of cms-run is missing')
  }
}

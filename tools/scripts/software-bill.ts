// The software bill of materials in CycloneDX: the dependencies of package-lock.json, and the packages whose code is in
// dist/. `npm sbom` leaves out what is a dependency of a development dependency as well, and knows of no bundle.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'
import { bundledPackages, manifestOf } from './licences.ts'

interface Locked {
  readonly name?: string
  readonly version: string
  readonly license?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** As JSON, the same for the same sources: without a time and without a number of its own. */
export function softwareBill(root: string, script: Metafile, pages: Metafile): string {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, Locked>>
  }
  const { name, version, license } = manifestOf(root)
  const own = `${name}@${version}`
  const bundled = bundledComponents(root, script, pages)
  const installed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)
  const dependsOn = new Map([
    [own, [...needs(packages, ''), ...bundled.keys()]],
    ...[...bundled.keys()].map((ref) => [ref, [] as string[]] as const),
    ...installed.map(([path, locked]) => [refOf(path, locked), needs(packages, path)] as const),
  ])
  const components = new Map([
    ...bundled,
    ...installed.map(
      ([path, locked]) =>
        [
          refOf(path, locked),
          // A library may be a dependency, and in the script as well.
          { ...bundled.get(refOf(path, locked)), ...installedComponent(root, path, locked) },
        ] as const,
    ),
  ])
  return JSON.stringify({
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: component(name, version, license) },
    components: [...components.values()],
    dependencies: [...dependsOn].map(([ref, refs]) => ({ ref, dependsOn: [...new Set(refs)] })),
  })
}

function component(name: string, version: string, license: string) {
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [/ (OR|AND) /.test(license) ? { expression: license } : { license: { id: license } }],
  }
}

/** `path`: as package-lock.json names it, `node_modules/a/node_modules/b`. */
function refOf(path: string, { name, version }: Locked): string {
  return `${name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`
}

function installedComponent(root: string, path: string, locked: Locked) {
  const ref = refOf(path, locked)
  const [algorithm = '', hash = ''] = locked.integrity?.split('-') ?? []
  // Old packages name their licences in an older way, which the lock leaves out.
  const license = locked.license ?? manifestOf(join(root, path)).licenses?.[0]?.type ?? 'unknown'
  return {
    ...component(ref.slice(0, ref.lastIndexOf('@')), locked.version, license),
    scope: locked.optional === true ? 'optional' : 'required',
    hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(hash, 'base64').toString('hex') }],
  }
}

/** Each is looked for as Node does: beside the package, then in the folders above. */
function needs(packages: Readonly<Record<string, Locked>>, path: string): string[] {
  const { dependencies, optionalDependencies } = packages[path] ?? {}
  return Object.keys({ ...dependencies, ...optionalDependencies }).flatMap((name) => {
    for (let above = path; ; above = above.slice(0, above.lastIndexOf('node_modules/')).replace(/\/$/, '')) {
      const at = `${above === '' ? '' : `${above}/`}node_modules/${name}`
      const found = packages[at]
      if (found !== undefined) return [refOf(at, found)]
      if (above === '') return []
    }
  })
}

function bundledComponents(root: string, script: Metafile, pages: Metafile) {
  const components = new Map<string, object>()
  for (const { part, folders } of bundledPackages(root, script, pages)) {
    for (const folder of folders) {
      const { name, version, license } = manifestOf(join(root, folder))
      const properties = [{ name: 'cms-run:bundledIn', value: part }]
      components.set(`${name}@${version}`, {
        ...component(name, version, license),
        scope: 'required',
        properties,
      })
    }
  }
  return components
}

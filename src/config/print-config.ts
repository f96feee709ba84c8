// Prints `Config` in its long form as YAML or JSON, with secrets masked.

import { toAuthorText } from './author-text.ts'
import type { Config } from './config.ts'
import type { Secrets } from './load-config.ts'
import { isSecretPath } from './secret-paths.ts'
import { writeYaml } from './yaml/write-yaml.ts'

type Path = readonly (string | number)[]

export type Sections = Omit<Config, 'file' | 'directory' | 'ownPlugins'>

type Complete = (sections: Sections) => Sections

export function printConfig(config: Config, secrets: Secrets, complete?: Complete): string {
  return writeYaml(maskConfig(config, secrets, complete), 0)
}

/** Masks every value that contains a variable, whatever its name. */
export function maskConfig(
  config: Config,
  secrets: Secrets,
  complete: Complete = (sections) => sections,
): unknown {
  const hidden = new Set(secrets.paths.map((path) => path.join('\0')))
  const { file: _file, directory: _directory, ownPlugins: _own, ...sections } = config
  const shown = complete(masked(sections, [], hidden) as Sections)
  // The output may be loaded again, so text must not become a reference to a variable.
  return toAuthorText(asInFile(shown))
}

function asInFile({ fake: { counts, seed }, looks, ...sections }: Sections): unknown {
  const { console, data } = sections
  const hasLooks = Object.keys(looks).length > 0
  return {
    ...sections,
    ...(hasLooks && { console: { ...(typeof console === 'object' && console), types: looks } }),
    ...(Object.keys(counts).length > 0 && { data: { ...data, fake: { ...counts, seed } } }),
  }
}

function masked(value: unknown, path: Path, hidden: ReadonlySet<string>): unknown {
  if (hidden.has(path.join('\0'))) return '***'
  if (Array.isArray(value)) return value.map((item, index) => masked(item, [...path, index], hidden))
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([key, item]) => key !== 'sourceKey' && item !== undefined)
    return Object.fromEntries(entries.map(([key, item]) => [key, masked(item, [...path, key], hidden)]))
  }
  return isSecretPath(path) && isSecretValue(value) ? '***' : value
}

function isSecretValue(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}

// Copies the code that a configuration names out of its project, for `import --strapi --copy`.

import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { isRecord } from '../../lib/is-record.ts'
import { listReached } from '../../strapi/import/code/request-hooks.ts'
import { StrapiFault } from '../../strapi/import/strapi-source.ts'

/** Beside the configuration. */
export const COPY_FOLDER = 'strapi'

const COPIED = new RegExp(`^\\./${COPY_FOLDER}/([^#]+)`)

/** With the modules that the files import by their place. Throws StrapiFault for one outside of the project. */
export async function copyCode(config: unknown, project: string, directory: string): Promise<void> {
  const sources = listTexts(config).flatMap((text) => {
    // `$` is doubled in texts of a configuration.
    const [, path] = COPIED.exec(text) ?? []
    return path === undefined ? [] : [join(project, path.replaceAll('$$', '$'))]
  })
  for (const source of new Set(sources))
    for (const file of await listReached(source, true)) {
      const path = relative(project, file)
      if (path.startsWith('..'))
        throw new StrapiFault(`${relative(project, source)} imports ${path}, which is outside of the project`)
      const copy = join(directory, COPY_FOLDER, path)
      await mkdir(dirname(copy), { recursive: true })
      await copyFile(file, copy)
    }
}

function listTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(listTexts)
  return isRecord(value) ? Object.values(value).flatMap(listTexts) : []
}

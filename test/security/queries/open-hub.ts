// The content with hubs as a file that a process serves, over each database.

import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type LastingClient, openSite, type Site } from '../../durability/served.ts'
import { hubConfig } from './hub.ts'

const ARTICLES = 10_000

/** `name`: memory, sqlite or postgres. */
export async function openHub(name: string): Promise<Site> {
  const made = await openSite(name === 'memory' ? 'sqlite' : (name as LastingClient), '')
  const { data, server: _, ...rest } = hubConfig(ARTICLES)
  // JSON is YAML; entries stand in a file of their own, which is read faster.
  await writeFile(join(dirname(made.file), 'entries.json'), JSON.stringify(data))
  const sections = JSON.stringify({ ...rest, data: './entries.json' }).slice(1)
  const first = name === 'memory' ? '' : `"database":${databaseOf(readFileSync(made.file, 'utf8'))},`
  await writeFile(made.file, `{${first}${sections}`)
  return made
}

/** What stands behind `database:` in the file. */
function databaseOf(yaml: string): string {
  const { client: name, ...others } = Object.fromEntries(
    [...yaml.matchAll(/(client|filename|connection|schema): '?([^',}\s]+)'?/g)].map(
      ([, key = '', value = '']) => [key, value],
    ),
  )
  return JSON.stringify({ client: name, ...others })
}

/** What a process has in memory, in bytes. */
export function memoryOf(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) * 1024
}

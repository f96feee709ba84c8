// The server is killed (SIGKILL) at a random moment while eight writers create and change entries, again and again.
// Afterwards every acknowledged write must be there, and every entry whole: its two components, its relation.
// By hand: npx tsx test/durability/kill.ts postgres 200

import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type LastingClient, openSite, send, serve } from './served.ts'

const YAML = `
rest: { maxLimit: null }
contentTypes:
  box:
    attributes:
      name: { type: string, unique: true }
      round: integer
      version: integer
      parts: { type: component, component: box.part, repeatable: true }
      owner: { type: relation, relation: manyToOne, target: api::owner.owner }
  owner: { attributes: { name: string } }
components:
  box.part: { attributes: { label: string } }
auth: { roles: { public: { permissions: ['box.*', 'owner.*'] } } }
data: { owner: [{ id: 1, name: Ada }] }
`
const WRITERS = 8

interface Entry {
  readonly id: number
  readonly attributes: {
    readonly name: string
    readonly version: number
    readonly parts: readonly { readonly label: string }[]
    readonly owner: { readonly data: { readonly id: number } | null }
  }
}

export interface KillReport {
  readonly kills: number
  readonly acknowledged: number
  readonly lost: readonly string[]
  readonly halfWritten: readonly string[]
  /** What a check of the database itself found after a kill. */
  readonly damages: readonly string[]
  /** Acknowledged by nobody, and there nevertheless: the answer was on its way. */
  readonly unheard: number
}

export async function killAgainAndAgain(
  client: LastingClient,
  kills: number,
  onKill: (kill: number) => void = () => {},
): Promise<KillReport> {
  const site = await openSite(client, YAML)
  const report = {
    acknowledged: 0,
    lost: [] as string[],
    halfWritten: [] as string[],
    damages: [] as string[],
    unheard: 0,
  }
  try {
    let served = await serve(site.file)
    for (let round = 1; round <= kills; round++) {
      // The least version that each box must have.
      const acknowledged = new Map<string, number>()
      let killed = false
      const write = async (writer: number): Promise<void> => {
        for (let number = 0; !killed; number++) {
          const name = `${round}.${writer}.${number}`
          try {
            const made = await send(`${served.url}/api/boxes`, 'POST', boxOf(name, round, 1))
            if (made.status !== 200) throw new Error(`${made.status}`)
            acknowledged.set(name, 1)
            const { id } = (made.body as { data: { id: number } }).data
            const changed = await send(`${served.url}/api/boxes/${id}`, 'PUT', boxOf(name, round, 2))
            if (changed.status === 200) acknowledged.set(name, 2)
          } catch {
            if (!killed) await wait(5)
          }
        }
      }
      const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer))
      await wait(20 + Math.random() * 400)
      served.child.kill('SIGKILL')
      killed = true
      await served.gone
      await Promise.all(writers)
      report.damages.push(...(await site.examine()))
      served = await serve(site.file)
      const { body } = await send(
        `${served.url}/api/boxes?filters[round]=${round}&populate=*&pagination[limit]=-1`,
        'GET',
      )
      const found = new Map((body as { data: Entry[] }).data.map((entry) => [entry.attributes.name, entry]))
      for (const [name, version] of acknowledged) {
        if ((found.get(name)?.attributes.version ?? 0) < version) report.lost.push(name)
      }
      for (const [name, { attributes }] of found) {
        const { version, parts, owner } = attributes
        const whole = parts.length === 2 && parts.every(({ label }) => label === `${name} v${version}`)
        if (!whole || owner.data?.id !== 1) report.halfWritten.push(name)
        if (!acknowledged.has(name)) report.unheard += 1
      }
      report.acknowledged += acknowledged.size
      onKill(round)
    }
    served.child.kill('SIGKILL')
    await served.gone
  } finally {
    await site.drop()
  }
  return { kills, ...report }
}

function boxOf(name: string, round: number, version: number): object {
  const part = { label: `${name} v${version}` }
  return { name, round, version, parts: [part, part], owner: 1 }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , client = 'postgres', kills = '200'] = process.argv
  await killAgainAndAgain(client as LastingClient, Number(kills), (kill) => {
    if (kill % 10 === 0) process.stdout.write(`${kill} kills\n`)
  }).then((report) => process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`))
}

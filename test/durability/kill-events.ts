// Servers are killed (SIGKILL) at random moments while twenty writers create and change entries, five receivers listen
// and go on after the last event they have, and a webhook is delivered. On PostgreSQL two servers share the database.
// Every acknowledged change must reach every receiver exactly once and in order, and the webhook at least once; and
// nothing is told that was not committed.
// By hand: npx tsx test/durability/kill-events.ts postgres 200 (after `npm run build`, CMS_RUN_BUILT=1 starts faster)

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { listenTo } from '../events/event-source.ts'
import { type LastingClient, openSite, type Served, send, serve } from './served.ts'

const WRITERS = 20
const RECEIVERS = 5
/** Changes that are acknowledged between a start and the next kill, at most. */
const MOST_BETWEEN = 100

const yaml = (hook: string) => `
rest: { maxLimit: null }
webhooks: [{ name: hook, url: "${hook}", allowPrivate: true, retries: 100 }]
contentTypes:
  box: { attributes: { name: { type: string, unique: true }, version: integer } }
auth: { roles: { public: { permissions: ['box.*'] } } }
`

export interface EventCounts {
  readonly acknowledged: number
  readonly told: number
  readonly delivered: number
}

export interface EventReport extends EventCounts {
  readonly kills: number
  /** Acknowledged, and not told to a receiver, or not delivered. */
  readonly lost: readonly string[]
  readonly twice: readonly string[]
  readonly disordered: readonly string[]
  readonly uncommitted: readonly string[]
}

/** `create 7`, `update 7`: what happened to which entry. */
type Fact = string

export async function killWhileListening(
  client: LastingClient,
  kills: number,
  onKill: (kill: number, counts: EventCounts) => void = () => {},
): Promise<EventReport> {
  const delivered: Fact[] = []
  const hook = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    const { event, entry } = JSON.parse(text) as { event: string; entry: { id: number } }
    delivered.push(`${event.replace('entry.', '')} ${entry.id}`)
    response.end()
  })
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
  const site = await openSite(client, yaml(`http://127.0.0.1:${(hook.address() as AddressInfo).port}/`))
  const servers: Served[] = []
  const acknowledged: Fact[] = []
  let over = false
  try {
    for (let count = 0; count < (client === 'postgres' ? 2 : 1); count++) servers.push(await serve(site.file))
    const urlFor = (worker: number): string => servers[worker % servers.length]?.url ?? ''

    async function listen(receiver: number): Promise<readonly { id: number; fact: Fact }[]> {
      const heard: { id: number; fact: Fact }[] = []
      lists.push(heard)
      let lastId: string | undefined
      const first = await listenTo(fetch, `${urlFor(receiver)}/api/_events?fields=version`)
      let current: typeof first | undefined = first
      for (let round = receiver; ; round++) {
        try {
          current ??= await listenTo(
            fetch,
            `${urlFor(round)}/api/_events?fields=version`,
            lastId === undefined ? {} : { 'last-event-id': lastId },
          )
          const { events, ended } = current
          const done = (): boolean => over && isLast(events.at(-1)?.data)
          while (!done()) {
            const gone = await Promise.race([ended.then(() => true), wait(20).then(() => false)])
            if (gone) break
          }
          lastId = current.lastId() ?? lastId
          for (const { id, event, data } of events) {
            if (event === 'reset') throw new Error('a receiver lost its place')
            if (event === 'message')
              heard.push({ id: Number(id?.split('.')[1]), fact: `${data['action']} ${data['id']}` })
          }
          if (done()) {
            await current.stop()
            return heard
          }
        } catch (error) {
          if (error instanceof Error && error.message.includes('its place')) throw error
          await wait(20)
        }
        current = undefined
      }
    }
    const lists: (readonly unknown[])[] = []
    const countsNow = (): EventCounts => ({
      acknowledged: acknowledged.length,
      told: Math.min(...lists.map(({ length }) => length)),
      delivered: delivered.length,
    })
    let marker = -1
    const isLast = (data: Record<string, unknown> | undefined): boolean => data?.['id'] === marker

    async function write(writer: number): Promise<void> {
      for (let number = 0; !over; number++) {
        try {
          const name = `${writer}.${number}`
          const made = await send(`${urlFor(writer)}/api/boxes`, 'POST', { name, version: 1 })
          if (made.status !== 200) throw new Error(`${made.status}`)
          const { id } = (made.body as { data: { id: number } }).data
          acknowledged.push(`create ${id}`)
          const changed = await send(`${urlFor(writer + 1)}/api/boxes/${id}`, 'PUT', { version: 2 })
          if (changed.status === 200) acknowledged.push(`update ${id}`)
        } catch {
          await wait(10)
        }
      }
    }

    const receivers = Array.from({ length: RECEIVERS }, (_, receiver) => listen(receiver))
    await wait(200)
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer))
    for (let kill = 1; kill <= kills; kill++) {
      const enough = acknowledged.length + 1 + Math.floor(Math.random() * MOST_BETWEEN)
      while (acknowledged.length < enough) await wait(2)
      const at = Math.floor(Math.random() * servers.length)
      const victim = servers[at]
      victim?.child.kill('SIGKILL')
      await victim?.gone
      servers[at] = await serve(site.file)
      onKill(kill, countsNow())
    }
    await wait(300)
    over = true
    await Promise.all(writers)
    const last = await send(`${urlFor(0)}/api/boxes`, 'POST', { name: 'last', version: 1 })
    marker = (last.body as { data: { id: number } }).data.id
    const heard = await Promise.all(receivers)
    while (!delivered.includes(`create ${marker}`)) await wait(50)
    // What came before it of other entries may still be on its way.
    for (let missing = new Set(acknowledged); missing.size > 0; ) {
      for (const fact of delivered) missing.delete(fact)
      if (missing.size === 0 || servers.every(({ child }) => child.exitCode !== null)) break
      await wait(200)
    }
    const { body } = await send(`${urlFor(0)}/api/boxes?fields=version&pagination[limit]=-1`, 'GET')
    const boxes = (body as { data: { id: number; attributes: { version: number } }[] }).data
    const committed = new Set<Fact>(
      boxes.flatMap(({ id, attributes }) =>
        attributes.version === 2 ? [`create ${id}`, `update ${id}`] : [`create ${id}`],
      ),
    )
    const report = { lost: [] as string[], twice: [] as string[], disordered: [] as string[] }
    const known = new Set(delivered)
    for (const fact of acknowledged) if (!known.has(fact)) report.lost.push(`webhook: ${fact}`)
    for (const [receiver, list] of heard.entries()) {
      const facts = new Set(list.map(({ fact }) => fact))
      // Also what was committed without being acknowledged.
      for (const fact of new Set([...acknowledged, ...committed]))
        if (!facts.has(fact)) report.lost.push(`${receiver}: ${fact}`)
      if (facts.size < list.length) report.twice.push(`${receiver}: ${list.length - facts.size}`)
      for (const [index, { id }] of list.entries())
        if (index > 0 && id !== (list[index - 1]?.id ?? 0) + 1) report.disordered.push(`${receiver}: ${id}`)
      const first = new Set<string>()
      for (const { fact } of list) {
        const [action, id = ''] = fact.split(' ')
        if (action === 'create') first.add(id)
        else if (!first.has(id)) report.disordered.push(`${receiver}: ${fact}`)
      }
    }
    const told = heard.flatMap((list) => list.map(({ fact }) => fact))
    const uncommitted = [...new Set([...told, ...delivered])].filter((fact) => !committed.has(fact))
    return { kills, ...countsNow(), ...report, uncommitted }
  } finally {
    over = true
    for (const { child, gone } of servers) {
      child.kill('SIGKILL')
      await gone
    }
    hook.closeAllConnections()
    hook.close()
    await site.drop()
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , client = 'postgres', kills = '200'] = process.argv
  const began = Date.now()
  await killWhileListening(
    client as LastingClient,
    Number(kills),
    (kill, { acknowledged, told, delivered }) => {
      if (kill % 10 !== 0) return
      const seconds = Math.round((Date.now() - began) / 1000)
      process.stdout.write(
        `${kill} kills in ${seconds} s: ${acknowledged} acknowledged, ${told} told, ${delivered} delivered\n`,
      )
    },
  ).then((report) => process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`))
}

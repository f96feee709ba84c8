// Two private clusters of the installed PostgreSQL: a primary and a replica that streams from it, by way of a proxy
// that can stop handing on. They are as in production (fsync on), only smaller.

import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ask } from './postgres.ts'
import { type ServerProxy, startServerProxy } from './server-proxy.ts'

const INSTALLED = '/usr/lib/postgresql'

/** The folder of the server's programs, or undefined where there is none and none is needed. */
export function findPostgresPrograms(): string | undefined {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED) : []
  const found = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(INSTALLED, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'pg_basebackup')) && existsSync(join(folder, 'initdb')))
  if (found !== undefined) return found
  const missing = `no programs of a PostgreSQL server in ${INSTALLED}`
  if (process.env['CI'] === 'true') throw new Error(missing)
  process.stderr.write(`\n!! ${missing}: tests of replicas and failover are left out\n\n`)
  return undefined
}

export interface PostgresClusters {
  /** URLs of the two servers, for a user who may do everything. */
  readonly primary: string
  readonly replica: string
  /** What the replica receives comes through here. */
  readonly link: ServerProxy
  /** Kills the primary and all its processes (SIGKILL), as when its machine is gone. */
  killPrimary(): void
  /** Resolves when the replica is a primary and takes writes. */
  promote(): Promise<void>
  /** The replica goes on receiving and stays where it is, so that what it answers grows old. */
  pauseReplay(): Promise<void>
  resumeReplay(): Promise<void>
  /** Whether the replica shows everything that the primary has now. */
  hasCaughtUp(): Promise<boolean>
  close(): Promise<void>
}

export interface ClusterOptions {
  /** Whether a commit is acknowledged only when the replica has it on its disk, too. */
  readonly synchronous: boolean
}

/** A commit waits for the standby of this name. */
const STANDBY = 'standby'

export async function startPostgresClusters(
  programs: string,
  { synchronous }: ClusterOptions,
): Promise<PostgresClusters> {
  const folder = mkdtempSync(join(tmpdir(), 'cms-clusters-'))
  const own = getServerUser()
  if (own.length > 0) execFileSync('chown', ['postgres:', folder])
  const [run, ...before] = own
  const command = (name: string, options: readonly string[]): [string, string[]] => {
    const program = join(programs, name)
    return run === undefined ? [program, [...options]] : [run, [...before, program, ...options]]
  }
  const call = (name: string, options: readonly string[]) =>
    promisify(execFile)(...command(name, options), { cwd: folder })
  const running = new Set<ChildProcess>()
  async function start(data: string, settings: Readonly<Record<string, string | number>>): Promise<Server> {
    const port = await findFreePort()
    const given = { ...SETTINGS, ...settings, port, unix_socket_directories: folder }
    const flags = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const child = spawn(...command('postgres', ['-D', data, ...flags]), {
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: folder,
    })
    let said = ''
    child.stderr?.on('data', (piece: Buffer) => {
      said = (said + piece).slice(-4000)
    })
    running.add(child)
    child.on('exit', () => running.delete(child))
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    while (!(await answers(url))) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended at its start:\n${said}`)
      await wait(50)
    }
    return { url, child }
  }

  let link: ServerProxy | undefined
  const close = async (): Promise<void> => {
    for (const child of running) killAll(child)
    await link?.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  }
  try {
    const first = join(folder, 'first')
    const second = join(folder, 'second')
    await call('initdb', ['-D', first, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'])
    const primary = await start(first, {})
    link = await startServerProxy(primary.url)
    const { hostname, port } = new URL(link.url)
    const from = `host=${hostname} port=${port} user=postgres application_name=${STANDBY}`
    await call('pg_basebackup', ['-D', second, '-R', '-X', 'stream', '-c', 'fast', '--no-sync', '-d', from])
    const replica = await start(second, {})
    while ((await ask(primary.url, 'select 1 from pg_stat_replication')).length === 0) await wait(50)
    if (synchronous) {
      await ask(primary.url, `alter system set synchronous_standby_names = '${STANDBY}'`)
      await ask(primary.url, 'select pg_reload_conf()')
      const inSync = "select 1 from pg_stat_replication where sync_state = 'sync'"
      while ((await ask(primary.url, inSync)).length === 0) await wait(50)
    }
    return {
      primary: primary.url,
      replica: replica.url,
      link,
      killPrimary: () => killAll(primary.child),
      async promote() {
        await ask(replica.url, 'select pg_promote()')
      },
      async pauseReplay() {
        await ask(replica.url, 'select pg_wal_replay_pause()')
        const state = 'select pg_get_wal_replay_pause_state()'
        while ((await ask(replica.url, state))[0]?.[0] !== 'paused') await wait(10)
      },
      async resumeReplay() {
        await ask(replica.url, 'select pg_wal_replay_resume()')
      },
      async hasCaughtUp() {
        const [[written] = []] = await ask(primary.url, 'select pg_current_wal_insert_lsn()')
        const [[shown] = []] = await ask(replica.url, `select pg_last_wal_replay_lsn() >= '${written}'`)
        return shown === true
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

interface Server {
  readonly url: string
  readonly child: ChildProcess
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  fsync: 'on',
  shared_buffers: '16MB',
  max_connections: 60,
  max_wal_size: '128MB',
  wal_level: 'replica',
  hot_standby: 'on',
  wal_retrieve_retry_interval: 200,
}

/** The server refuses to run as root. */
function getServerUser(): readonly string[] {
  if (process.getuid?.() !== 0) return []
  return ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups']
}

/** The server's children have process groups of their own, so each is killed; the first to go could not restart them. */
function killAll({ pid, exitCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null) return
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const children = lines.map((line) => line.trim().split(/\s+/).map(Number)).filter(([, of]) => of === pid)
  for (const one of [pid, ...children.map(([child]) => child ?? 0)]) {
    try {
      process.kill(one, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    await ask(url, 'select 1')
    return true
  } catch {
    return false
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

// The real program: what it prints where, what it ends with, and how it behaves on signals.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const bin = join(root, 'bin/cms-run.js')

const good = 'contentTypes: { note: { attributes: { text: string } } }\n'
const open = `${good}auth: { roles: { public: { permissions: [note.find] } } }\n`
const bad = 'contentTypes:\n  note:\n    attributes:\n      text: strin\n'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cms-run-cli-'))
  writeFileSync(join(folder, 'good.yaml'), good)
  writeFileSync(join(folder, 'bad.yaml'), bad)
  mkdirSync(join(folder, 'directory'))
  mkdirSync(join(folder, 'with-yml'))
  writeFileSync(join(folder, 'with-yml/cms.yml'), good)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Outcome {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

function cmsRun(
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Outcome> {
  // Without FORCE_COLOR, even empty: Node 24 warns of it beside NO_COLOR.
  const { FORCE_COLOR: _, ...inherited } = process.env
  const environment = { ...inherited, NO_COLOR: '1', ...options.env }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [bin, ...args],
      { cwd: options.cwd ?? folder, env: environment },
      (_error, out, err) => resolve({ code: child.exitCode, out, err }),
    )
  })
}

describe.concurrent('says and ends with', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const rows: readonly [args: string, code: number, out: RegExp, err: RegExp][] = [
    ['--version', 0, new RegExp(`^${version.replaceAll('.', '\\.')}\\n$`), /^$/],
    ['--help', 0, /^cms-run: one YAML file in[\s\S]*Exit codes/, /^$/],
    ['validate good.yaml', 0, /^good\.yaml is valid\n {2}\/api\/\S+\n$/, /^$/],
    ['validate good.yaml --json', 0, /^\{\n {2}"ok": true,[\s\S]*"diagnostics": \[\]\n\}\n$/, /^$/],
    ['bad.yaml --json', 1, /^\{"ok":false,"diagnostics":\[\{"code":"CFG.*\}\]\}\n$/, /^$/],
    [
      'validate bad.yaml',
      1,
      /^$/,
      /^error\[CFG\d+\]: .*\n +--> bad\.yaml:4:13\n[\s\S]*help: did you mean "string"\?/,
    ],
    ['validate bad.yaml --format github', 1, /^::error file=bad\.yaml,line=4,.*\n$/, /^$/],
    ['validate missing.yaml', 1, /^$/, /cannot read missing\.yaml: there is no such file/],
    ['validate directory', 1, /^$/, /cannot read directory: it is a directory/],
    ['validate', 1, /^$/, /cannot read cms\.yaml: there is no such file/],
    [
      'print-config good.yaml',
      0,
      /^dialect: strapi-4\nserver:\n {2}host: 127\.0\.0\.1\n[\s\S]*api::note\.note:/,
      /^$/,
    ],
    ['print-config bad.yaml', 1, /^$/, /^error\[CFG/],
    ['missing.yaml', 1, /^$/, /cannot read missing\.yaml: there is no such file/],
    ['bad.yaml', 1, /^$/, /^error\[CFG/],
    ['test', 1, /^$/, /there is no file cases\.yaml: name the file of cases/],
    ['good.yaml --dry-run', 2, /^$/, /--dry-run is for "cms-run migrate"/],
    ['validte', 2, /^$/, /^cms-run: unknown command "validte", did you mean "validate"\?\n$/],
    ['--prot 1', 2, /^$/, /^cms-run: unknown flag "--prot", did you mean "--port"\?\n$/],
  ]
  test.concurrent.each(rows)('cms-run %s', async (args, code, out, err) => {
    const outcome = await cmsRun(args.split(' '))
    expect(outcome).toEqual({ code, out: expect.stringMatching(out), err: expect.stringMatching(err) })
  })

  test.concurrent('cms.yml is taken where there is no cms.yaml', async () => {
    const outcome = await cmsRun(['validate'], { cwd: join(folder, 'with-yml') })
    expect(outcome).toEqual({ code: 0, out: 'cms.yml is valid\n  /api/notes\n', err: '' })
  })

  test.concurrent('print-config --json is JSON, with secrets masked', async () => {
    const file = join(folder, 'secret.yaml')
    writeFileSync(
      file,
      `${good}auth: { apiTokens: [{ name: front, type: read-only, token: '\${FRONT_TOKEN}' }] }\n`,
    )
    const secret = 'a-token-that-must-not-be-shown'
    const outcome = await cmsRun(['print-config', file, '--json'], { env: { FRONT_TOKEN: secret } })
    expect({ code: outcome.code, err: outcome.err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(outcome.out)).toMatchObject({
      ok: true,
      config: { auth: { apiTokens: [{ name: 'front', token: '***' }] } },
    })
    expect(outcome.out).not.toContain(secret)
  })

  test.concurrent('colours are as the environment wants them', async () => {
    const plain = await cmsRun(['validate', 'bad.yaml'])
    const colored = await cmsRun(['validate', 'bad.yaml'], { env: { NO_COLOR: '', FORCE_COLOR: '1' } })
    expect(plain.err).not.toContain('\x1b[')
    expect(colored.err).toContain('\x1b[')
  })
})

interface Serving {
  readonly url: string
  readonly ended: Promise<number | null>
  readonly said: () => string
  kill(signal: NodeJS.Signals): void
}

/** Tests run beside each other: what still runs is ended when all are done. */
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

async function serve(args: readonly string[]): Promise<Serving> {
  const child = spawn(process.execPath, [bin, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let said = ''
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const url = await new Promise<string>((resolve, reject) => {
    const listen = (chunk: Buffer): void => {
      said += chunk.toString()
      const found = /http:\/\/localhost:\d+/.exec(said)?.[0]
      if (found !== undefined) resolve(found)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    void ended.then((code) => reject(new Error(`ended with ${code}: ${said}`)))
  })
  return { url, ended, said: () => said, kill: (signal) => void child.kill(signal) }
}

async function until(met: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await met())) await new Promise((go) => setTimeout(go, 10))
}

describe.concurrent('serving', () => {
  test.concurrent('SIGTERM ends it with 0', async () => {
    const server = await serve(['good.yaml', '--port', '0'])
    expect((await fetch(`${server.url}/_health`)).status).toBe(204)
    server.kill('SIGTERM')
    expect(await server.ended).toBe(0)
  })

  test.concurrent('SIGINT ends it with 0', async () => {
    const server = await serve(['good.yaml', '--port', '0', '--no-watch'])
    server.kill('SIGINT')
    expect(await server.ended).toBe(0)
  })

  test.concurrent('SIGHUP reads the file again, where edits are not followed', async () => {
    const file = join(folder, 'hup.yaml')
    writeFileSync(file, good)
    const server = await serve([file, '--port', '0', '--no-watch'])
    expect((await fetch(`${server.url}/api/notes`)).status).toBe(403)
    writeFileSync(file, open)
    server.kill('SIGHUP')
    await until(async () => (await fetch(`${server.url}/api/notes`)).status === 200)
    server.kill('SIGTERM')
    expect(await server.ended).toBe(0)
  })

  test.concurrent('an edit is taken; a wrong one is reported and changes nothing; the next right one is taken', async () => {
    const file = join(folder, 'edited.yaml')
    writeFileSync(file, good)
    const server = await serve([file, '--port', '0'])
    const status = async (): Promise<number> => (await fetch(`${server.url}/api/notes`)).status
    writeFileSync(file, open)
    await until(async () => (await status()) === 200)
    await until(() => /reloaded in \d+ ms: role public added/.test(server.said()))
    writeFileSync(file, open.replace('string', 'strin'))
    await until(() => /did you mean \\"string\\"/.test(server.said()))
    expect(await status()).toBe(200)
    writeFileSync(file, good)
    await until(async () => (await status()) === 403)
    server.kill('SIGTERM')
    expect(await server.ended).toBe(0)
  })

  test.concurrent('without a terminal everything is lines of one log, and no key of the console is in it', async () => {
    const file = join(folder, 'logged.yaml')
    writeFileSync(file, `${open}plugins: { users-permissions: { config: {} } }\n`)
    const child = spawn(process.execPath, [bin, file, '--port', '0'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.push(child)
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString()
    })
    await until(() => out.includes('the console is on'))
    // A warning is said once, not after each edit.
    writeFileSync(file, `${open}plugins: { users-permissions: { config: {} } }\n# edited\n`)
    await until(() => out.includes('reloaded in'))
    writeFileSync(file, 'contentTypes: { note: { attributes: { text: strin } } }\n')
    await until(() => out.includes('the edit has errors'))
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('exit', resolve))
    expect(err).toBe('')
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.map(({ message }) => message)).toEqual([
      'the file has warnings',
      expect.stringMatching(/^listening on http/),
      expect.stringMatching(/^anybody may make an account with POST \/api\/auth\/local\/register/),
      expect.stringContaining('the console is on'),
      expect.stringMatching(/^reloaded in/),
      'the file has errors',
      expect.stringContaining('the edit has errors'),
      'stopped',
    ])
    expect(lines[0]).toMatchObject({ diagnostics: [{ code: 'PLG001', severity: 'warning' }] })
    expect(lines[5]).toMatchObject({ diagnostics: [{ code: 'CFG017', line: 1 }] })
    expect(out).not.toContain('key=')
  })

  test.concurrent('a port that is taken is one line and 1', async () => {
    const other = createServer()
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => {
        const address = other.address()
        resolve(typeof address === 'object' && address !== null ? address.port : 0)
      })
    })
    const outcome = await cmsRun(['good.yaml', '--port', String(port)])
    other.close()
    expect(outcome).toMatchObject({ code: 1, err: '' })
    expect(JSON.parse(outcome.out)).toMatchObject({
      message: `port ${port} on 127.0.0.1 is in use; choose another with --port`,
    })
  })
})

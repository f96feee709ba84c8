// What users get: the packed tarball, installed into an empty folder, checks a file, serves it and is importable.

import { execFile, spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const run = promisify(execFile)
const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

/** Libraries whose code is in the script. */
const BUNDLED = ['kysely', 'p-limit', 'pluralize', 'ws', 'yocto-queue']

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

let folder: string
let packed: readonly string[]
let tarballFile: string
let sizes: ReadonlyMap<string, number>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cms-run-packed-'))
  // Others run what is built; it is not built anew below them.
  const built = process.env['CMS_RUN_BUILT'] === '1' ? ['--ignore-scripts'] : []
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder, ...built], {
    cwd: root,
  })
  // The build before the packing may print lines of its own.
  const [tarball] = JSON.parse(stdout.slice(stdout.search(/^\[\s*$/m))) as [
    { filename: string; files: { path: string; size: number }[] },
  ]
  tarballFile = join(folder, tarball.filename)
  packed = tarball.files.map(({ path }) => path)
  sizes = new Map(tarball.files.map(({ path, size }) => [path, size]))
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  await run('npm', ['install', ...flags, tarballFile], { cwd: folder })
  copyFileSync(join(folder, 'node_modules/cms-run/cms.yaml'), join(folder, 'cms.yaml'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('holds what is needed to run, and no sources or tests', () => {
  for (const path of [
    'LICENSE',
    'README.md',
    'CHANGELOG.md',
    'bin/cms-run.js',
    'cms.yaml',
    'docs/tutorial/first-api.md',
    'dist/THIRD-PARTY-LICENSES.txt',
    'dist/cli.js',
    'dist/cms-run.cjs',
    'dist/cms-run.cjs.map',
    'dist/console/console.json',
    'dist/explorer/graphiql.css.gz',
    'dist/explorer/graphiql.js.gz',
    'dist/explorer/react-dom.js.gz',
    'dist/explorer/react.js.gz',
    'dist/index.js',
    'dist/loader.js',
    'dist/sbom.cdx.json',
    'dist/types/index.d.ts',
    'schemas/cms.schema.json',
    'schemas/cli-output.schema.json',
    'examples/templates/blog.yaml',
    'examples/templates/agents.md',
    'skills/cms-run/SKILL.md',
    'llms.txt',
  ]) {
    expect(packed).toContain(path)
  }
  expect(packed.filter((path) => /^(src|test|bench|scripts|node_modules)\//.test(path))).toEqual([])
})

test('its pages link to nothing that it lacks', () => {
  const lacking = packed
    .filter((path) => path.endsWith('.md'))
    .flatMap((page) =>
      [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:|mailto:|#)([^)\s#]+)/g)]
        .map(([, target = '']) => join(dirname(page), target))
        .filter((target) => !packed.some((path) => path === target || path.startsWith(`${target}/`)))
        .map((target) => `${page}: ${target}`),
    )
  expect(lacking).toEqual([])
})

describe('is small', () => {
  const bytesOf = (which: (path: string) => boolean): number =>
    [...sizes].filter(([path]) => which(path)).reduce((sum, [, size]) => sum + size, 0)
  const isForAgents = (path: string): boolean => /^(skills\/|llms\.txt$|examples\/.*\.md$)/.test(path)
  const isPage = (path: string): boolean => path.endsWith('.md') && !isForAgents(path)

  test('what runs, beside the explorer: 3.85 MB', () => {
    const runs = (path: string): boolean =>
      !isPage(path) && !isForAgents(path) && !/\.(gz|cdx\.json)$/.test(path)
    expect(bytesOf(runs)).toBeLessThan(3.85 * 1024 * 1024)
  })

  test('the console: 0.45 MB, compressed', () => {
    expect(bytesOf((path) => path.startsWith('dist/console/'))).toBeLessThan(0.45 * 1024 * 1024)
  })

  test('what people read, the changelog too: 0.425 MB', () => {
    expect(bytesOf(isPage)).toBeLessThan(0.425 * 1024 * 1024)
  })

  test('what agents read first: 24 kB', () => {
    expect(bytesOf(isForAgents)).toBeLessThan(24 * 1024)
  })
})

/** 60 were asked for before what reads from outside became dependencies (decision 0001); `mysql2` brings ten. */
test('brings at most 137 packages', () => {
  const lock = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: Record<string, unknown>
  }
  expect(Object.keys(lock.packages).length).toBeLessThanOrEqual(137)
})

test('what reads from outside is a dependency, and what is in the script has its licence in the package', () => {
  const own = join(folder, 'node_modules/cms-run')
  const { dependencies } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const licences = readFileSync(join(own, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8')
  const [inScript = ''] = licences.split('In dist/console')
  const bundled = [...inScript.matchAll(/^(\S+) \d\S* \(.*\)$/gm)].map(([, name]) => name)
  expect(bundled.toSorted()).toEqual(BUNDLED)
  for (const name of [
    'any-ascii',
    'yaml',
    'qs',
    'busboy',
    'jose',
    'pg',
    'mysql2',
    'file-type',
    'tar-stream',
    'nodemailer',
    'pino',
  ]) {
    expect(dependencies).toHaveProperty(name)
  }
})

test('publint has nothing to say', async () => {
  const { messages } = await publint({ pkgDir: join(folder, 'node_modules/cms-run'), pack: false })
  expect(messages).toEqual([])
})

test('the bill of materials names what was installed, and what is in the script', () => {
  const read = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8'))
  const { metadata, components } = read('node_modules/cms-run/dist/sbom.cdx.json') as {
    metadata: { component: { name: string; version: string } }
    components: { name: string; properties?: { value: string }[]; licenses: unknown[] }[]
  }
  expect(metadata.component).toMatchObject({ name: 'cms-run', version: manifest.version })
  const named = new Set(components.map(({ name }) => name))
  const { packages } = read('node_modules/.package-lock.json') as {
    packages: Record<string, { name?: string }>
  }
  const installed = Object.entries(packages)
    .map(([path, { name }]) => name ?? path.split('node_modules/').at(-1) ?? '')
    .filter((name) => name !== 'cms-run')
  expect(installed.filter((name) => !named.has(name))).toEqual([])
  const inScript = components.filter(({ properties }) =>
    properties?.some(({ value }) => value === 'dist/cms-run.cjs'),
  )
  expect(inScript.map(({ name }) => name).toSorted()).toEqual(BUNDLED)
  expect(components.filter(({ licenses }) => /unknown/.test(JSON.stringify(licenses)))).toEqual([])
})

test('stack traces do not name the folder of the build', async () => {
  const program = `await import('cms-run').then(({ createCms }) => createCms(3)).catch(({ stack }) => console.log(stack))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: folder })
  expect(stdout).toMatch(/node_modules\/cms-run\/dist\/cms-run\.cjs:\d+:\d+\)/)
  expect(stdout).not.toContain(root)
})

describe('its declarations need nothing that it does not bring', () => {
  beforeAll(async () => {
    for (const [command, name] of [
      ['types', 'content.d.ts'],
      ['client', 'client.ts'],
    ] as const) {
      await run('npx', ['cms-run', command, 'cms.yaml', '--out', name], { cwd: folder })
    }
    writeFileSync(
      join(folder, 'program.ts'),
      `import { type Cms, createCms, type Diagnostic } from 'cms-run'
import type { Restaurant } from './content.js'
import { createClient } from './client.js'
export const open: (file: string) => Promise<Cms> = createCms
export type Said = Diagnostic
export async function restaurants(cms: Cms): Promise<readonly Restaurant[]> {
  const found = await cms.entries('restaurant').findMany({ populate: ['chef'], publicationState: 'live' })
  const names: readonly string[] = found.map(({ name, chef }) => chef?.name ?? name)
  const { data } = await createClient({ url: names[0] ?? '' }).collection('restaurants').find({ sort: 'name' })
  return [...found, ...data.map(({ id, attributes }) => ({ id, ...attributes }))]
}
// @ts-expect-error: a name that there is not
export const wrong = (cms: Cms) => cms.entries('restaurant').findMany({ sort: 'nmae' })
`,
    )
  })

  test.each([
    ['nodenext', 'nodenext'],
    ['node16', 'node16'],
    ['esnext', 'bundler'],
  ])('module %s, resolution %s', async (module, moduleResolution) => {
    const compilerOptions = {
      module,
      moduleResolution,
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      target: 'es2023',
      lib: ['es2023', 'esnext.disposable'],
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    }
    const project = join(folder, `tsconfig.${module}.json`)
    writeFileSync(project, JSON.stringify({ compilerOptions, files: ['program.ts', 'content.d.ts'] }))
    const checked = await run(join(root, 'node_modules/.bin/tsc'), ['-p', project], { cwd: folder }).catch(
      ({ stdout }: { stdout: string }) => ({ stdout }),
    )
    expect(checked.stdout).toBe('')
  })
})

test('npx cms-run validate', async () => {
  const { stdout, stderr } = await run('npx', ['cms-run', 'validate', 'cms.yaml'], { cwd: folder })
  expect({ stdout, stderr }).toMatchObject({ stdout: expect.stringMatching(/^cms\.yaml is valid\n/) })
})

test('npx cms-run --version', async () => {
  expect((await run('npx', ['cms-run', '--version'], { cwd: folder })).stdout).toBe(`${manifest.version}\n`)
})

test('serves, follows an edit, and ends at SIGTERM', async () => {
  const bin = join(folder, 'node_modules/.bin/cms-run')
  const server = spawn(bin, ['cms.yaml', '--port', '0'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    let said = ''
    const ended = new Promise<number | null>((resolve) => server.once('exit', resolve))
    const url = await new Promise<string>((resolve, reject) => {
      const listen = (chunk: Buffer): void => {
        said += chunk.toString()
        const found = /http:\/\/localhost:\d+/.exec(said)?.[0]
        if (found !== undefined) resolve(found)
      }
      server.stdout.on('data', listen)
      server.stderr.on('data', listen)
      void ended.then((code) => reject(new Error(`ended with ${code}: ${said}`)))
    })
    expect((await fetch(`${url}/_health`)).status).toBe(204)
    const restaurants = (await (await fetch(`${url}/api/restaurants?populate=*`)).json()) as {
      data: unknown[]
    }
    expect(restaurants.data.length).toBeGreaterThan(5)
    expect((await fetch(`${url}/api/bookings`)).status).toBe(403)

    const file = join(folder, 'cms.yaml')
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('- guide.find\n', '- guide.find\n        - booking.find\n'),
    )
    while ((await fetch(`${url}/api/bookings`)).status !== 200) await new Promise((go) => setTimeout(go, 20))

    server.kill('SIGTERM')
    expect(await ended).toBe(0)
  } finally {
    server.kill('SIGKILL')
  }
})

test('runs users’ code from the command line', async () => {
  const yaml = `
contentTypes: { note: { attributes: { text: string } } }
plugins: { graphql: true }
routes: [{ path: /answer, handler: ./answer.ts, auth: false }]
graphql: { extensions: [./answer.ts#extension] }
`
  const code = `
import { GraphQLInt } from 'graphql'
export default (): unknown => ({ answer: 42 as number })
export const extension = ({ nexus }: any) => ({
  types: [nexus.extendType({ type: 'Query', definition: (t: any) => t.field('answer', { type: GraphQLInt, resolve: () => 42 }) })],
  resolversConfig: { 'Query.answer': { auth: false } },
})`
  writeFileSync(join(folder, 'code.yaml'), yaml)
  writeFileSync(join(folder, 'answer.ts'), code)
  const { stdout } = await run('npx', ['cms-run', 'schema', 'code.yaml'], { cwd: folder })
  expect(stdout).toContain('answer: Int')
  const bin = join(folder, 'node_modules/.bin/cms-run')
  const server = spawn(bin, ['code.yaml', '--port', '0'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    let said = ''
    const url = await new Promise<string>((resolve) => {
      const listen = (chunk: Buffer): void => {
        said += chunk.toString()
        const found = /http:\/\/localhost:\d+/.exec(said)?.[0]
        if (found !== undefined) resolve(found)
      }
      server.stdout.on('data', listen)
      server.stderr.on('data', listen)
    })
    expect(await (await fetch(`${url}/api/answer`)).json()).toEqual({ answer: 42 })
  } finally {
    server.kill('SIGKILL')
  }
})

test('the build step of the image leaves one binary of the transport and less than 90 MB, which serves and is healthy', async () => {
  const lines = readFileSync(join(root, 'tools/deploy/Dockerfile'), 'utf8').replaceAll(/ *\\\n */g, ' ')
  const [, build = ''] = /^RUN (.*) && npm cache clean --force$/m.exec(lines) ?? []
  const [, health = ''] = /^HEALTHCHECK .* CMD (\[.+\])$/m.exec(lines) ?? []
  const [, check = ''] = JSON.parse(health.replace('"node", ', '')) as string[]
  const image = join(folder, 'image')
  mkdirSync(image)
  // The official package is not on the registry; the one that is takes its place.
  const UWS = 'uWebSockets.js@npm:@trufflesuite/uws-js-unofficial@20.30.0-unofficial.0'
  const env = { ...process.env, CMS_RUN: tarballFile, UWS, npm_config_prefer_offline: 'true' }
  await run('sh', ['-c', build], { cwd: image, env })
  const files = readdirSync(join(image, 'node_modules'), { recursive: true, encoding: 'utf8' })
  const own = `uws_linux_${process.arch}_${process.versions.modules}.node`
  expect(files.filter((name) => /uws_\w+\.node$/.test(name) && !name.endsWith(own))).toEqual([])
  const bytes = files.reduce((sum, name) => sum + lstatSync(join(image, 'node_modules', name)).size, 0)
  expect(bytes).toBeLessThan(90_000_000)

  writeFileSync(join(image, 'cms.yaml'), 'contentTypes: { note: { attributes: { text: string } } }\n')
  const server = spawn(process.execPath, ['node_modules/cms-run/bin/cms-run.js', 'cms.yaml', '--no-watch'], {
    cwd: image,
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    let said = ''
    let port: string | undefined
    for await (const chunk of server.stdout) {
      said += String(chunk)
      port = /listening on \S+:(\d+)/.exec(said)?.[1]
      if (port !== undefined) break
    }
    await run(process.execPath, ['-e', check], { env: { ...process.env, PORT: port } })
    await expect(
      run(process.execPath, ['-e', check], { env: { ...process.env, PORT: '1' } }),
    ).rejects.toThrow()
  } finally {
    server.kill('SIGKILL')
  }
})

test('is importable', async () => {
  const program = `
    import { createCms } from 'cms-run'
    const cms = await createCms({ contentTypes: { note: { attributes: { text: 'string' } } } })
    await cms.entries('note').create({ text: 'kept' })
    console.log(JSON.stringify(await cms.entries('note').findMany({ fields: ['text'] })))
    await cms.close()`
  writeFileSync(join(folder, 'program.js'), program)
  const { stdout } = await run(process.execPath, ['program.js'], { cwd: folder })
  expect(JSON.parse(stdout)).toEqual([{ id: 1, text: 'kept' }])
})

test('its declarations name only files that are there', () => {
  const types = join(folder, 'node_modules/cms-run/dist/types')
  const declared = readdirSync(types, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.d.ts'),
  )
  expect(declared).toContain('index.d.ts')
  for (const name of declared) {
    for (const [, target = ''] of readFileSync(join(types, name), 'utf8').matchAll(
      /(?:from |import\()['"](\.[^'"]+)['"]/g,
    )) {
      const path = join(types, dirname(name), target).replace(/\.[jt]s$/, '.d.ts')
      expect([name, target, existsSync(path)]).toEqual([name, target, true])
    }
  }
})

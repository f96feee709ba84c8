// The files of tools/deploy/: they say what they should, their file is valid, and what they run works: the command of the image
// and of the unit, with secrets from files, without a right to write.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { loadConfig } from '../../src/config/load-config.ts'
import { pluginRules, pluginShorthands } from '../../src/plugins/plugin-host.ts'

const folder = join(import.meta.dirname, '../../tools/deploy')
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')

const SECRETS = {
  JWT_SECRET: 'j'.repeat(43),
  METRICS_TOKEN: 'm'.repeat(43),
  POSTGRES_PASSWORD: 'p'.repeat(43),
}

/** Secrets that tools/deploy/cms.yaml takes, which every way has to bring. */
const wanted = [...new Set([...read('cms.yaml').matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name))]

test('the file is valid, and takes nothing but secrets without a default', async () => {
  expect(wanted.toSorted()).toEqual(Object.keys(SECRETS).toSorted())
  const options = { env: SECRETS, rules: pluginRules, shorthands: pluginShorthands }
  const { config, diagnostics } = await loadConfig({ file: join(folder, 'cms.yaml') }, options)
  expect(diagnostics).toEqual([])
  expect(config?.server).toMatchObject({ environment: 'production', trustProxy: 1 })
})

describe('Dockerfile', () => {
  const lines = read('Dockerfile')
    .replaceAll(/ *\\\n */g, ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const of = (word: string): readonly string[] =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1))

  test('two stages; the last one runs as a user without rights, in production', () => {
    const [base = ''] = /^NODE=(\S+)-slim$/.exec(of('ARG')[0] ?? '')?.slice(1) ?? []
    expect(of('FROM')).toEqual([`${base} AS build`, `\${NODE}`])
    expect(of('USER')).toEqual(['node'])
    expect(lines.indexOf('USER node')).toBeGreaterThan(lines.lastIndexOf(`FROM \${NODE}`))
    expect(of('ENV')[0]).toContain('NODE_ENV=production')
    expect(of('RUN')[0]).toContain('--ignore-scripts')
  })

  test('the exec forms are JSON, and name files of the package', () => {
    const entry = JSON.parse(of('ENTRYPOINT')[0] ?? '') as string[]
    expect(entry).toEqual(['node', 'node_modules/cms-run/bin/cms-run.js'])
    expect(JSON.parse(of('CMD')[0] ?? '')).toEqual(['cms.yaml', '--no-watch'])
    const [, health = ''] = / CMD (\[.+\])$/.exec(of('HEALTHCHECK')[0] ?? '') ?? []
    const [command, flag, program] = JSON.parse(health) as string[]
    expect([command, flag]).toEqual(['node', '-e'])
    expect(() => new Function(program ?? '')).not.toThrow()
    expect(program).toContain('/_ready')
  })
})

describe('compose.yaml', () => {
  const { services, secrets, volumes } = parse(read('compose.yaml'))

  test('brings every secret as a file, to a container that may not write', () => {
    const { cms, postgres } = services
    for (const name of wanted) expect(cms.environment[`${name}_FILE`]).toMatch(/^\/run\/secrets\//)
    for (const path of Object.values(cms.environment) as string[])
      expect(cms.secrets).toContain(path.replace('/run/secrets/', ''))
    expect(Object.keys(secrets).toSorted()).toEqual(cms.secrets.toSorted())
    expect(cms).toMatchObject({ read_only: true, cap_drop: ['ALL'], tmpfs: ['/tmp'] })
    expect(cms.ports).toEqual(['127.0.0.1:1337:1337'])
    expect(cms.depends_on.postgres.condition).toBe('service_healthy')
    expect(postgres.environment.POSTGRES_PASSWORD_FILE).toBe('/run/secrets/postgres')
    for (const { volumes: mounts } of Object.values(services) as { volumes: string[] }[])
      for (const mount of mounts.filter((one) => !one.startsWith('.')))
        expect(Object.keys(volumes)).toContain(mount.split(':')[0])
  })
})

describe('kubernetes.yaml', () => {
  const documents = parseAllDocuments(read('kubernetes.yaml')).map((document) => document.toJS())
  const [deployment, service] = documents

  test('a Deployment and its Service name the same pods and port', () => {
    expect(documents.map(({ kind }) => kind)).toEqual(['Deployment', 'Service'])
    const { selector, template } = deployment.spec
    expect(template.metadata.labels).toEqual(selector.matchLabels)
    expect(service.spec.selector).toEqual(selector.matchLabels)
    const [container] = template.spec.containers
    expect(container.ports[0].name).toBe(service.spec.ports[0].targetPort)
    const mounted = container.volumeMounts.map(({ name }: { name: string }) => name)
    expect(template.spec.volumes.map(({ name }: { name: string }) => name)).toEqual(mounted)
  })

  test('probes ask the right paths, secrets are files, nothing runs as root', () => {
    const { containers, securityContext, terminationGracePeriodSeconds } = deployment.spec.template.spec
    const [container] = containers
    expect(container.livenessProbe.httpGet.path).toBe('/_health')
    expect(container.readinessProbe.httpGet.path).toBe('/_ready')
    const names = container.env.map(({ name }: { name: string }) => name)
    for (const name of wanted) expect(names).toContain(`${name}_FILE`)
    expect(securityContext.runAsNonRoot).toBe(true)
    expect(container.securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
    })
    // What is left after the pause is more than a drain takes.
    expect(terminationGracePeriodSeconds).toBeGreaterThan(15)
  })
})

test('the unit of systemd brings every secret, checks the file before it starts, and may not write', () => {
  const unit = read('cms-run.service')
  const values = (key: string): readonly string[] =>
    unit.split('\n').flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1)] : []))
  const credentials = values('LoadCredential').map((line) => line.split(':')[0])
  const files = [
    ...values('Environment')
      .join(' ')
      .matchAll(/(\w+)_FILE=%d\/(\w+)/g),
  ]
  expect(files.map(([, name]) => name).toSorted()).toEqual(wanted.toSorted())
  expect(files.map(([, , file]) => file).toSorted()).toEqual(credentials.toSorted())
  expect(values('ExecStartPre')[0]).toContain(' validate cms.yaml')
  expect(values('ProtectSystem')).toEqual(['strict'])
  expect(values('DynamicUser')).toEqual(['yes'])
  expect(Number(values('TimeoutStopSec')[0])).toBeGreaterThan(10)
})

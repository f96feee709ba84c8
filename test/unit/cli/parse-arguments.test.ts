// Arguments as people type them, and the one line that answers what cannot be meant.

import { describe, expect, test } from 'vitest'
import type { Command } from '../../../src/cli/command.ts'
import { parseArguments } from '../../../src/cli/parse-arguments.ts'

const plain: Command = {
  name: 'run',
  file: undefined,
  flags: {
    port: undefined,
    host: undefined,
    env: undefined,
    watch: true,
    poll: false,
    reseed: false,
    open: false,
    workers: undefined,
    format: 'text',
    exitCode: false,
    replace: false,
    comparesOnly: false,
    copies: false,
    onMisfit: 'stop',
    follow: false,
    force: false,
    agents: false,
    dryRun: false,
    generate: false,
  },
}

describe('understood', () => {
  const rows: readonly [line: string, command: Partial<Command>, flags?: Partial<Command['flags']>][] = [
    ['', {}],
    ['cms.yaml', { file: 'cms.yaml' }],
    ['./site', { file: './site' }],
    ['/etc/guide', { file: '/etc/guide' }],
    ['run', {}],
    ['serve', {}],
    ['dev site.yml --port 0', { file: 'site.yml' }, { port: 0 }],
    ['start', {}],
    [
      'migrate a.yaml --to strapi-5 --dry-run',
      { name: 'migrate', file: 'a.yaml' },
      { to: 'strapi-5', dryRun: true },
    ],
    ['import --strapi . --copy', { name: 'import' }, { strapi: '.', copies: true }],
    ['import --strapi . --check', { name: 'import' }, { strapi: '.', comparesOnly: true }],
    ['run site.yml', { file: 'site.yml' }],
    ['run site', { file: 'site' }],
    ['validate', { name: 'validate' }],
    ['validate cms.yaml --json', { name: 'validate', file: 'cms.yaml' }, { format: 'json' }],
    ['--format github validate', { name: 'validate' }, { format: 'github' }],
    ['print-config a.yaml --format=json', { name: 'print-config', file: 'a.yaml' }, { format: 'json' }],
    ['cms.yaml --port 8080', { file: 'cms.yaml' }, { port: 8080 }],
    ['--port=0', {}, { port: 0 }],
    ['-p 65535', {}, { port: 65_535 }],
    ['--host ::1', {}, { host: '::1' }],
    ['--host=0.0.0.0', {}, { host: '0.0.0.0' }],
    ['--env production', {}, { env: 'production' }],
    ['--no-watch --poll --open', {}, { watch: false, poll: true, open: true }],
    ['--workers 4', {}, { workers: 4 }],
    ['--port 1 --port 2', {}, { port: 2 }],
    ['-- --odd.yaml', { file: '--odd.yaml' }],
    ['permissions cms.yaml --json', { name: 'permissions', file: 'cms.yaml' }, { format: 'json' }],
    ['token create front-end', { name: 'token', subject: 'front-end' }],
    [
      'token create ci --type full-access --expires=90d',
      { name: 'token', subject: 'ci' },
      { type: 'full-access', expires: '90d' },
    ],
    ['types --out a.d.ts --watch', { name: 'types' }, { out: 'a.d.ts', follow: true }],
    ['client b.yaml', { name: 'client', file: 'b.yaml' }],
    ['init', { name: 'init' }],
    [
      'init a.yaml --template site --force',
      { name: 'init', file: 'a.yaml' },
      { template: 'site', force: true },
    ],
    ['doctor', { name: 'doctor' }],
    ['token create', { name: 'token' }],
    ['--help', { name: 'help' }],
    ['-h validate', { name: 'help' }],
    ['help', { name: 'help' }],
    ['--version', { name: 'version' }],
    ['-v', { name: 'version' }],
  ]
  test.each(rows)('cms-run %s', (line, command, flags = {}) => {
    const expected = { ...plain, ...command, flags: { ...plain.flags, ...flags } }
    expect(parseArguments(words(line))).toEqual({ command: expected })
  })
})

describe('refused in one line', () => {
  test.each([
    ['validte', 'unknown command "validte", did you mean "validate"?'],
    ['print-confg cms.yaml', 'unknown command "print-confg", did you mean "print-config"?'],
    ['frobnicate', 'unknown command "frobnicate"; see cms-run --help'],
    ['--prot 80', 'unknown flag "--prot", did you mean "--port"?'],
    ['-x', 'unknown flag "-x"'],
    ['import a.tar.gz --check', '--check names what is compared: import --strapi ./my-project --check'],
    ['import a.tar.gz --copy', '--copy copies the code of a project: import --strapi ./my-project --copy'],
    ['plan --check', '--check is for "cms-run import --strapi"'],
    ['--watch', '--watch is for "cms-run types"'],
    ['--__proto__', 'unknown flag "--__proto__"'],
    ['-constructor', 'unknown flag "-constructor"'],
    ['--port', '--port needs a value'],
    ['--port --open', '--port needs a value'],
    ['--port=', '--port is a whole number from 0 to 65535, not ""'],
    ['--port 65536', '--port is a whole number from 0 to 65535, not "65536"'],
    ['--port -1', '--port is a whole number from 0 to 65535, not "-1"'],
    ['--port 1e3', '--port is a whole number from 0 to 65535, not "1e3"'],
    ['--port 80.5', '--port is a whole number from 0 to 65535, not "80.5"'],
    ['--workers 0', '--workers is a whole number from 1 to 1024, not "0"'],
    ['--env test', '--env is development, staging or production, not "test"'],
    ['token', 'tokens are made with "cms-run token create <name>" and listed with "cms-run token list"'],
    ['token list a.yaml b.yaml', 'one file at a time: a.yaml, b.yaml'],
    ['token list --expires 1d', '--expires is for "cms-run token create"'],
    [
      'token delete x',
      'tokens are made with "cms-run token create <name>" and listed with "cms-run token list"',
    ],
    ['token create x y', 'one token at a time: x, y'],
    ['cms.yaml --type custom', '--type is for "cms-run token create"'],
    ['validate --expires 90d', '--expires is for "cms-run token create"'],
    ['init --template shpo', 'unknown template "shpo", did you mean "shop"?'],
    ['init --template wiki', 'unknown template "wiki": blog, shop, site, calendar'],
    ['run --force', '--force is for "cms-run init"'],
    ['--format xml', '--format is text, json or github, not "xml"'],
    ['--no-watch=false', '--no-watch takes no value'],
    ['validate a.yaml b.yaml', 'one file at a time: a.yaml, b.yaml'],
  ])('cms-run %s', (line, message) => {
    const parsed = parseArguments(words(line))
    const fault = 'fault' in parsed ? parsed.fault : 'none'
    expect(fault).toContain(message)
    expect(fault).not.toContain('\n')
  })
})

function words(line: string): string[] {
  return line.split(' ').filter((word) => word !== '')
}

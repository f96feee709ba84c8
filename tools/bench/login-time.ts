// `npx tsx tools/bench/login-time.ts [rounds]`: how long a login takes for a user that exists, one that does not, one that is
// blocked and one without a password, all with a wrong password; and for a blocked one with the right one. In one process,
// in turns, in an order that changes with each round: what the machine does meanwhile happens to all of them.

import { createCms } from '../../src/index.ts'

const rounds = Number(process.argv[2] ?? 1000)
const PASSWORD = 'Passw0rd!bench'

const cms = await createCms(
  {
    contentTypes: {},
    plugins: { 'users-permissions': { config: { ratelimit: { enabled: false } } } },
    auth: {
      roles: { public: { permissions: ['plugin::users-permissions.auth.callback'] } },
      users: [
        { username: 'present', email: 'present@example.com', password: PASSWORD },
        { username: 'blocked', email: 'blocked@example.com', password: PASSWORD, blocked: true },
        { username: 'passwordless', email: 'passwordless@example.com' },
      ],
    },
  },
  { env: {} },
)

const kinds: readonly { readonly name: string; readonly identifier: string; readonly password: string }[] = [
  { name: 'existing', identifier: 'present', password: 'wrong password' },
  { name: 'missing', identifier: 'absent1', password: 'wrong password' },
  { name: 'blocked', identifier: 'blocked', password: 'wrong password' },
  { name: 'blocked, right', identifier: 'blocked', password: PASSWORD },
  { name: 'without a password', identifier: 'passwordless', password: 'wrong password' },
]

async function milliseconds(identifier: string, password: string): Promise<number> {
  const body = JSON.stringify({ identifier, password })
  const started = process.hrtime.bigint()
  const answer = await cms.fetch('/api/auth/local', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  await answer.arrayBuffer()
  const taken = Number(process.hrtime.bigint() - started) / 1e6
  if (answer.status !== 400) throw new Error(`${identifier}: ${answer.status}`)
  return taken
}

const times = new Map<string, number[]>(kinds.map(({ name }) => [name, []]))
/** Each kind's time less that of the existing user in the same round. */
const differences = new Map<string, number[]>(kinds.map(({ name }) => [name, []]))
for (let round = -20; round < rounds; round++) {
  const taken = new Map<string, number>()
  for (let index = 0; index < kinds.length; index++) {
    const kind =
      kinds[(index * (1 + (Math.abs(round) % (kinds.length - 1))) + Math.abs(round)) % kinds.length]
    if (kind !== undefined) taken.set(kind.name, await milliseconds(kind.identifier, kind.password))
  }
  // The first rounds compile.
  if (round < 0) continue
  for (const [name, one] of taken) {
    times.get(name)?.push(one)
    differences.get(name)?.push(one - (taken.get('existing') ?? Number.NaN))
  }
}
await cms.close()

const standard = median(times.get('existing') ?? [])
console.log(`${rounds} logins each, in turns`)
for (const [name, list] of times) {
  const own = median(list)
  const percent = (value: number): string =>
    `${value >= 0 ? '+' : ''}${((100 * value) / standard).toFixed(2)} %`
  const paired = median(differences.get(name) ?? [])
  console.log(
    `${name.padEnd(20)} median ${own.toFixed(3)} ms  ${percent(own - standard)}  paired ${percent(paired)}`,
  )
}

function median(list: readonly number[]): number {
  const sorted = [...list].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2
}

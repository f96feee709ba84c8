// `npx tsx tools/bench/forgotten-time.ts [rounds]`: how long forgotten passwords and confirmations take for a user that exists and
// for one that does not. In one process, in turns, in an order that changes with each round.

import { createCms } from '../../src/index.ts'

const rounds = Number(process.argv[2] ?? 500)
const cms = await createCms(
  {
    contentTypes: {},
    plugins: {
      email: true,
      'users-permissions': {
        config: { ratelimit: { enabled: false }, advanced: { email_confirmation: true } },
      },
    },
    auth: {
      roles: { public: { permissions: ['plugin::users-permissions.auth.*'] } },
      users: [
        { username: 'present', email: 'present@example.com', password: 'Passw0rd!bench', confirmed: false },
      ],
    },
  },
  { env: {} },
)

async function milliseconds(path: string, name: string): Promise<number> {
  const started = process.hrtime.bigint()
  const answer = await cms.fetch(`/api/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${name}@example.com` }),
  })
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`)
  return Number(process.hrtime.bigint() - started) / 1e6
}

const median = (list: readonly number[]): number =>
  [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0

for (const path of ['forgot-password', 'send-email-confirmation']) {
  const times = new Map<string, number[]>([
    ['present', []],
    ['missing', []],
  ])
  for (let round = -20; round < rounds; round++) {
    const order = round % 2 === 0 ? ['present', 'missing'] : ['missing', 'present']
    for (const name of order) {
      const taken = await milliseconds(path, name)
      // The first rounds compile.
      if (round >= 0) times.get(name)?.push(taken)
    }
  }
  for (const [name, list] of times)
    console.log(`${path} ${name}: median ${median(list).toFixed(3)} ms of ${rounds}`)
}
await cms.close()

// Hashes passwords before the transaction begins: hashing is slow, and transactions must be short.

import type { ScalarAttribute } from '../model/attribute.ts'
import type { PlanValue } from '../plan/read-plan.ts'
import type { ComponentWrite, WritePlan } from '../plan/write/write-plan.ts'

/** Returns a hash that names its algorithm and parameters (argon2id). */
export type HashPassword = (password: string) => Promise<string>

const HASHED = /^\$(?:2[aby]\$\d\d\$|argon2id\$)/

/** Seeds may bring hashes; a request always sends a password. */
export async function hashPasswords(
  plan: WritePlan,
  hash: HashPassword,
  trusted: boolean,
): Promise<WritePlan> {
  if (!holdsPassword(plan)) return plan
  const values = new Map<ScalarAttribute, PlanValue>(plan.values)
  for (const attribute of plan.passwords) {
    const password = values.get(attribute)
    if (typeof password !== 'string' || (trusted && HASHED.test(password))) continue
    values.set(attribute, await hash(password))
  }
  const components: ComponentWrite[] = []
  for (const { attribute, rows } of plan.components) {
    const hashed = []
    for (const row of rows) hashed.push({ ...row, plan: await hashPasswords(row.plan, hash, trusted) })
    components.push({ attribute, rows: hashed })
  }
  return { ...plan, values, components }
}

export function holdsPassword(plan: WritePlan): boolean {
  return (
    plan.passwords.length > 0 ||
    plan.components.some(({ rows }) => rows.some((row) => holdsPassword(row.plan)))
  )
}

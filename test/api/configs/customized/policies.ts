import type { UserCms } from '../../../../src/index.ts'

interface Context {
  readonly params: { readonly id: string }
  readonly body?: { readonly data?: { readonly owner?: string } }
}

/** Asks the database, and looks at the body. */
export async function owner(context: Context, _config: unknown, { cms }: { cms: UserCms }): Promise<boolean> {
  const memo = await cms.entries('memo').findOne(Number(context.params.id))
  return memo?.['owner'] === 'all' && context.body?.data?.owner === undefined
}

export function throws(_context: Context, _config: unknown, { cms }: { cms: UserCms }): never {
  throw new cms.errors.PolicyError('not on mondays', { policy: 'mondays' })
}

export async function late(): Promise<string> {
  return 'yes'
}

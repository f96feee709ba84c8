import type { RestContext, UserCms } from '../../../../src/index.ts'

export async function text(ctx: RestContext, { cms }: { cms: UserCms }): Promise<string | undefined> {
  const memo = await cms.entries('memo').findOne(Number(ctx.params['id']))
  if (memo === null) throw new cms.errors.NotFoundError()
  return String(memo['text'])
}

export function whoami(ctx: RestContext): unknown {
  const { user, auth } = ctx.state
  return {
    name: user?.['username'] ?? auth.strategy.name,
    seesSecrets: auth.ability.can('api::memo.memo.update'),
  }
}

export function sum(ctx: RestContext): unknown {
  const numbers = ctx.request.body as number[]
  return { sum: numbers.reduce((a, b) => a + b, 0) }
}

export function refused(ctx: RestContext): void {
  ctx.forbidden('not you', { why: 'because' })
}

export function nothing(): void {}

/** In the place of the generated route. */
export async function journals(_ctx: RestContext, { cms }: { cms: UserCms }): Promise<unknown> {
  return (await cms.entries('journal').findMany({ sort: 'id' })).map(({ line }) => line)
}

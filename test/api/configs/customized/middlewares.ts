import type { RestContext } from '../../../../src/index.ts'

type Next = () => Promise<void>

export function stamp(options: { readonly value?: string } | undefined) {
  return async (ctx: RestContext, next: Next): Promise<void> => {
    ctx.query['sort'] = 'id:desc'
    await next()
    const { value = 'one' } = options ?? {}
    ctx.set('x-stamp', `${value}`)
    const body = ctx.body as { meta: { stamps?: string[] } }
    body.meta.stamps = [...(body.meta.stamps ?? []), value]
  }
}

export async function shout(ctx: RestContext, next: Next): Promise<void> {
  const { data } = ctx.request.body as { data: { text: string } }
  data.text = data.text.toUpperCase()
  await next()
  ctx.status = 201
}

export function instead(ctx: RestContext): void {
  ctx.status = 202
  ctx.body = 'not done'
}

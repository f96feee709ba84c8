// The context of policies over REST.

/** Adds to `ctx` the names that expressions and GraphQL policies use. */
export function buildPolicyContext(context: {
  readonly method: string
  readonly path: string
  readonly headers: unknown
  readonly request: { readonly body: unknown }
}): Record<string, unknown> {
  const { method, path, headers } = context
  const own: Record<string, unknown> = {
    type: 'koa',
    is: (...names: readonly string[]) => names.includes('koa'),
    http: { method, path, headers },
    body: context.request.body,
  }
  // Defines the properties, because assigning them would call the setters of `ctx` and change the response.
  const values = Object.entries(own).map(([name, value]) => [name, { value, enumerable: true }] as const)
  return Object.create(context, Object.fromEntries(values)) as Record<string, unknown>
}

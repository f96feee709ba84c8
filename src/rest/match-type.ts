// The type of a request's body, as `ctx.is` of Koa tells it.

/** `json`, `multipart` and `urlencoded` are short for their types, and `*` for any part. */
export function matchType(header: string | undefined, types: readonly string[]): string | false {
  const [type = ''] = (header ?? '').toLowerCase().split(';')
  const [kind, name = ''] = type.trim().split('/')
  const found = types.find((one) => {
    const [wanted, of] = (SHORT_TYPES[one] ?? one).split('/')
    return (wanted === '*' || wanted === kind) && (of === '*' || of === name)
  })
  return found ?? false
}

const SHORT_TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  multipart: 'multipart/*',
  urlencoded: 'application/x-www-form-urlencoded',
}

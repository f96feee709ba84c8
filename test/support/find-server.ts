// A server that tests use: the one that the environment names, or the one on this machine where it answers. It must be there in
// continuous integration; elsewhere tests that need it are left out, aloud.

interface SoughtServer {
  readonly product: string
  /** Of the environment, with a URL. */
  readonly variable: string
  readonly local: string
  /** Rejects if no server answers at the URL. */
  ask(url: string): Promise<unknown>
}

/** The server's URL, or undefined where there is none and none is needed. */
export async function findServer({
  product,
  variable,
  local,
  ask,
}: SoughtServer): Promise<string | undefined> {
  const url = process.env[variable] ?? local
  try {
    await ask(url)
    return url
  } catch (error) {
    if (process.env['CI'] === 'true' || process.env[variable] !== undefined) throw error
    process.stderr.write(`\n!! no ${product} answers at ${new URL(local).host}: its tests are left out\n\n`)
    return undefined
  }
}

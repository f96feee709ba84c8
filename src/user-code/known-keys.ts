// The keys of queries in Strapi's code. Strapi ignores unknown ones: here reads ignore them with a warning, and writes refuse
// them, because they could change more than asked for.

type Query = Readonly<Record<string, unknown>>

export interface QueryKeys {
  /** Returns the query with the known keys only; warns once of each other key. `call`: for the warning. */
  pick(call: string, query: object, known: readonly string[]): Query
  /** Throws TypeError for another key. */
  require(call: string, query: object, known: readonly string[]): Query
}

export function createQueryKeys(warn: (message: string) => void): QueryKeys {
  const warnOnce = createWarnOnce(warn)
  return {
    pick(call, query, known) {
      const given = Object.entries(query)
      for (const [key] of given)
        if (!known.includes(key)) warnOnce(`${call} ignores "${key}": it takes ${known.join(', ')}`)
      return Object.fromEntries(given.filter(([key]) => known.includes(key)))
    },
    require(call, query, known) {
      const other = Object.keys(query).find((key) => !known.includes(key))
      if (other === undefined) return query as Query
      throw new TypeError(`${call} takes no "${other}" here; it takes ${known.join(', ')}`)
    },
  }
}

const MAX_WARNINGS = 100

/** Returns a function that writes each text once: code may repeat its mistakes at each request. */
export function createWarnOnce(warn: (message: string) => void): (message: string) => void {
  const warned = new Set<string>()
  return (message) => {
    if (warned.has(message) || warned.size >= MAX_WARNINGS) return
    warned.add(message)
    warn(message)
  }
}

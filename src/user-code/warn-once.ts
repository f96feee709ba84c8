// Warnings about Strapi's code, which may repeat its mistakes at each request.

const MAX_WARNINGS = 100

/** Returns a function that writes each text once. */
export function createWarnOnce(warn: (message: string) => void): (message: string) => void {
  const warned = new Set<string>()
  return (message) => {
    if (warned.has(message) || warned.size >= MAX_WARNINGS) return
    warned.add(message)
    warn(message)
  }
}

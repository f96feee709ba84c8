// Which release of the official uWebSockets.js has a binary for a version of Node (decision 0171).

/** The package from npm brings binaries for this one (decision 0002). */
const OWN = 20

/** Releases by the major version of Node that they were the first or the last to support. */
const RELEASES: Readonly<Record<number, string>> = {
  20: 'v20.51.0',
  22: 'v20.51.0',
  23: 'v20.51.0',
  24: 'v20.52.0',
  25: 'v20.53.0',
  26: 'v20.67.0',
}

/** How to get uWebSockets.js for a version of Node (`22.11.0`), as a sentence for the operator. */
export function uwsAdvice(node: string): string {
  const major = Number.parseInt(node, 10)
  const release = RELEASES[major]
  const install = release === undefined ? undefined : `npm install uNetworking/uWebSockets.js#${release}`
  if (major === OWN)
    return `for a platform that the package from npm has no binary for, install the official one: ${install}`
  if (install !== undefined) return `for Node ${major}, install the official package: ${install}`
  return `no release for Node ${major} is known; run Node ${OWN}, or install the official package: npm install uNetworking/uWebSockets.js`
}

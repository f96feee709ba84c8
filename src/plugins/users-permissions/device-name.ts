// The name of a device for the list of a user's sessions, from the header `User-Agent`: `Chrome on Windows`.

/** In this order: most browsers also claim to be those further down. */
const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bVersion\/[\d.]+ (?:Mobile\/\w+ )?Safari\//],
] as const

const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const

/** Longer ones are no browser's. */
const LONGEST = 1000

/** Undefined for programs that are neither a known browser nor run on a known system. */
export function deviceNameOf(userAgent: string | undefined): string | undefined {
  if (userAgent === undefined || userAgent.length > LONGEST) return undefined
  const [browser] = BROWSERS.find(([, pattern]) => pattern.test(userAgent)) ?? []
  const [system] = SYSTEMS.find(([, pattern]) => pattern.test(userAgent)) ?? []
  if (browser === undefined || system === undefined) return browser ?? system
  return `${browser} on ${system}`
}

// Whether output is coloured: NO_COLOR and FORCE_COLOR decide (no-color.org), else whether it goes to a terminal.

export function wantsColors(env: Readonly<Record<string, string | undefined>>, isTty: boolean): boolean {
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false
  const forced = env['FORCE_COLOR']
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return isTty && env['TERM'] !== 'dumb'
}

// Redacts a query string for the log: values of filters, searches and unknown parameters may be personal data
// or secrets.

/** Parameters whose values are attribute names, locales or page numbers. */
const SHOWN = new Set(['populate', 'fields', 'sort', 'pagination', 'locale', 'publicationState'])

const MAX_QUERY_LENGTH = 512
const MAX_PARAMETERS = 50

const HIDDEN = '…'

/** `populate=author&filters[title][$eq]=…`. A parameter without `=` is omitted, since it may be a secret. */
export function maskQuery(query: string): string {
  const parts = query.split('&', MAX_PARAMETERS + 1)
  const shown = parts.slice(0, MAX_PARAMETERS).map(shownParameter)
  if (parts.length > MAX_PARAMETERS) shown.push(HIDDEN)
  const text = shown.join('&')
  return text.length > MAX_QUERY_LENGTH ? `${text.slice(0, MAX_QUERY_LENGTH)}${HIDDEN}` : text
}

function shownParameter(part: string): string {
  const at = part.indexOf('=')
  if (at === -1) return HIDDEN
  const name = readable(part.slice(0, at))
  return `${name}=${isShown(name) ? readable(part.slice(at + 1)) : HIDDEN}`
}

/** `populate[author][filters][name]` has content within a parameter that is otherwise shown. */
function isShown(name: string): boolean {
  const [first = '', ...rest] = name.split(/[[\].]+/)
  return SHOWN.has(first) && !rest.includes('filters') && !rest.includes('_q')
}

function readable(text: string): string {
  return text.replace(/%(?:5B|5D|24|2C|3A|2A)/gi, (code) => decodeURIComponent(code))
}

// What the log shows of a query string: the names of all parameters, and the values of those that name parts of the model.
// Values of filters, of searches and of parameters that we do not know are left out: they are content (an address of mail that
// somebody looks for) or secrets (the code of a confirmation, a token in a link).

/** Parameters whose values are names of attributes, locales or numbers of pages. */
const SHOWN = new Set(['populate', 'fields', 'sort', 'pagination', 'locale', 'publicationState'])

/** Characters of a query that are shown, and parameters that are looked at. */
const MAX_QUERY_LENGTH = 512
const MAX_PARAMETERS = 50

const HIDDEN = '…'

/** `populate=author&filters[title][$eq]=…`. A parameter without `=` may be a secret itself, so nothing of it is shown. */
export function shownQuery(query: string): string {
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

/** `populate[author][filters][name]` holds content within a parameter that is shown otherwise. */
function isShown(name: string): boolean {
  const [first = '', ...rest] = name.split(/[[\].]+/)
  return SHOWN.has(first) && !rest.includes('filters') && !rest.includes('_q')
}

/** Decodes what clients encode although it does no harm; the rest, control characters too, stays encoded. */
function readable(text: string): string {
  return text.replace(/%(?:5B|5D|24|2C|3A|2A)/gi, (code) => decodeURIComponent(code))
}

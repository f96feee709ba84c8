// The texts of the interface in the language of the person. The English text is the key of its translation.

type Values = Readonly<Record<string, string | number>>

/** By the tag of their language (RFC 5646). English is in the code. */
const translations: Readonly<Record<string, () => Promise<Readonly<Record<string, string>>>>> = {
  de: async () => (await import('./messages/de.ts')).german,
}

export const languages: Readonly<Record<string, string>> = { en: 'English', de: 'Deutsch' }

const STORED = 'console-language'

let messages: Readonly<Record<string, string>> = {}
let language = 'en'

/** Runs before anything is drawn. */
export async function loadMessages(): Promise<void> {
  const wanted = [localStorage.getItem(STORED) ?? [], navigator.languages].flat()
  const known = wanted.map((tag) => tag.split('-')[0] ?? '').find((tag) => Object.hasOwn(languages, tag))
  const base = known ?? 'en'
  language = navigator.languages.find((tag) => tag.split('-')[0] === base) ?? base
  messages = (await translations[base]?.()) ?? {}
  document.documentElement.lang = base
}

/** With the region of the browser, which decides how numbers and dates are written: `en-GB`. */
export function getLanguage(): string {
  return language
}

export function changeLanguage(tag: string): void {
  localStorage.setItem(STORED, tag)
  location.reload()
}

/** `{name}` in the text is replaced by the value of that name. */
export function say(text: string, values: Values = {}): string {
  const found = messages[text] ?? text
  return found.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

/** `{count}` in both texts is the number, written as the language writes numbers. */
export function sayCount(count: number, one: string, other: string, values: Values = {}): string {
  return say(count === 1 ? one : other, { ...values, count: count.toLocaleString(language) })
}

// The other locales of an entry, and what their content says beside the fields.

import { useEffect, useState } from 'preact/hooks'
import type { Attribute, Entry, Model, Type } from '../../described.ts'
import { getLanguage, say } from '../messages.ts'
import { formatValue, once } from './format-value.ts'
import { getKey, getPage, readEntry } from './load.ts'
import { buildFormValues, toEntry, toList, type Values } from './values.ts'

const getNames = once(() => new Intl.DisplayNames(getLanguage(), { type: 'language', fallback: 'code' }))

export function formatLocale(locale: string): string {
  try {
    return getNames().of(locale) ?? locale
  } catch {
    return locale
  }
}

export function listOthers(entry: Entry): readonly Entry[] {
  return toList(entry['localizations']).flatMap((item) => toEntry(item) ?? [])
}

interface LocalesProps {
  readonly type: Type
  readonly model: Model
  readonly entry: Entry
}

export function Locales({ type, model, entry }: LocalesProps) {
  const others = listOthers(entry)
  const base = `#/data/${type.name}`
  return (
    <div class="buttons">
      {type.locales?.map((locale) => {
        const other = others.find((one) => one['locale'] === locale)
        const title = formatLocale(locale)
        if (locale === entry['locale'])
          return (
            <strong class="button here" title={title} aria-current="true">
              {locale}
            </strong>
          )
        const show = (address: string, text: string) => (
          <a class="button" href={address} title={title}>
            {text}
          </a>
        )
        if (type.kind === 'singleType') return show(`${base}?locale=${locale}`, locale)
        if (other !== undefined) return show(`#${getPage(type, other)}`, locale)
        const added = model.dialect === 'strapi-5' ? 'update' : 'createLocalization'
        if (!type.may.includes(added)) return null
        const address =
          model.dialect === 'strapi-5'
            ? `${base}/${getKey(entry)}?locale=${locale}`
            : `${base}/new?of=${entry.id}&locale=${locale}`
        return show(address, say('add {locale}', { locale }))
      })}
    </div>
  )
}

/** The values of an entry in another locale. */
export function useOtherLocale(
  type: Type,
  model: Model,
  entry: Entry | null | undefined,
  locale: string | undefined,
): Values | undefined {
  const [values, setValues] = useState<Values>()
  useEffect(() => {
    setValues(undefined)
    if (entry === undefined || entry === null || locale === undefined) return
    let current = true
    const other = listOthers(entry).find((one) => one['locale'] === locale)
    const id = type.kind === 'singleType' ? undefined : getKey(other ?? entry)
    readEntry(type, model, id, locale).then(
      (found) => {
        if (current && found !== undefined) setValues(buildFormValues(type.attributes, found, model))
      },
      () => {},
    )
    return () => {
      current = false
    }
  }, [entry === null, locale])
  return values
}

interface OtherProps {
  readonly attribute: Attribute
  readonly model: Model
  readonly locale: string
  readonly value: unknown
}

export function OtherValue({ attribute, model, locale, value }: OtherProps) {
  return (
    <div
      class="other-locale"
      role="group"
      aria-label={say('{label} in {language}', { label: attribute.label, language: formatLocale(locale) })}
    >
      <span class="kind">{formatLocale(locale)}</span>
      <div class="readable" lang={locale}>
        {formatValue(attribute, value, model) || <span class="quiet">{say('nothing')}</span>}
      </div>
    </div>
  )
}

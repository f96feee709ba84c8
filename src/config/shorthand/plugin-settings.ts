// `plugins: { i18n: { locales: [en] } }`: settings of a plugin right under its name are its `config`.

import { didYouMean } from '../../util/did-you-mean.ts'
import { isRecord } from '../../util/is-record.ts'
import type { Expansion } from './expansion.ts'

const KEYS = ['enabled', 'config']

/** A mistyped `enabled` or `config` is left for the check of keys. */
export function expandPluginSettings(expansion: Expansion): void {
  for (const [name, settings] of expansion.entries(['plugins'])) {
    if (!isRecord(settings)) continue
    const { config = {} } = settings
    const loose = Object.keys(settings).filter((key) => didYouMean(key, KEYS) === undefined)
    if (!isRecord(config) || loose.length === 0 || loose.some((key) => Object.hasOwn(config, key))) continue
    const kept = Object.entries(settings).filter(([key]) => !loose.includes(key) && key !== 'config')
    const moved = Object.fromEntries(loose.map((key) => [key, settings[key]]))
    expansion.replace(['plugins', name], { ...Object.fromEntries(kept), config: { ...config, ...moved } }, [
      [['config'], settings['config'] === undefined ? [] : ['config']],
      ...loose.map((key): [string[], string[]] => [['config', key], [key]]),
    ])
  }
}

// Config and the plugins' contributions -> the frozen, linked model, or every fault that was found (spec 2.1).

import type { Config } from '../config/config.ts'
import type { Diagnostic, Outcome } from '../errors/diagnostic.ts'
import { buildAttribute } from './build-attribute.ts'
import type { ModelContribution } from './contribution.ts'
import { isPluginEnabled } from './enabled-plugins.ts'
import { createHolders, type Holders } from './holders.ts'
import { linkRelations } from './link-relations.ts'
import { mergeContributions } from './merge-contributions.ts'
import type { Model } from './model.ts'

/** Pure: the same configuration gives the same model. All faults are collected before it gives up. */
export function buildModel(config: Config, contributions: readonly ModelContribution[]): Outcome<Model> {
  const diagnostics: Diagnostic[] = []
  const report = (diagnostic: Diagnostic) => void diagnostics.push(diagnostic)

  const sources = mergeContributions(config, contributions, report)
  const holders = createHolders(sources, isPluginEnabled(config, 'i18n'))
  for (const { built, source, attributes } of holders.types.values()) {
    const privateAttributes = source.config.options.privateAttributes ?? []
    const place = { holders, privateAttributes, localized: built.localized, report }
    for (const attributeSource of source.attributes) {
      const attribute = buildAttribute(attributeSource, place)
      if (attribute !== undefined) attributes.set(attribute.name, attribute)
    }
  }
  for (const { source, attributes } of holders.components.values()) {
    const place = { holders, privateAttributes: [], localized: false, report }
    for (const attributeSource of source.attributes) {
      const attribute = buildAttribute(attributeSource, place)
      if (attribute !== undefined) attributes.set(attribute.name, attribute)
    }
  }
  linkRelations(holders)

  if (diagnostics.some(({ severity }) => severity === 'error')) return { ok: false, diagnostics }
  return { ok: true, value: freezeModel(holders), warnings: diagnostics }
}

function freezeModel({ types, components }: Holders): Model {
  for (const { built, attributes } of [...types.values(), ...components.values()]) {
    for (const attribute of attributes.values()) Object.freeze(attribute)
    Object.freeze(built)
  }
  return Object.freeze({
    contentTypes: new Map([...types].map(([uid, { built }]) => [uid, built])),
    components: new Map([...components].map(([uid, { built }]) => [uid, built])),
  })
}

// Describes a model for the pages as plain data, with lines of the file.

import { fullAccess } from '../access/principal.ts'
import type { SourceText } from '../config/yaml/source-text.ts'
import type { DiagnosticPath } from '../lib/errors/diagnostic.ts'
import { isRecord } from '../lib/is-record.ts'
import type { Attribute } from '../model/attribute.ts'
import type { Component, ContentType } from '../model/content-type.ts'
import { findDataType } from '../model/data/find-data-type.ts'
import { getPlugin, nameOfComponent, nameOfType, toCamelCase } from '../model/naming.ts'
import { isPluginEnabled } from '../plugins/plugin-host.ts'
import { listPath } from '../rest/rest-paths.ts'
import type { LiveApp } from './console-context.ts'
import type * as described from './described.ts'
import { hasExplorer } from './graphiql-page.ts'
import { listMay } from './list-may.ts'
import { buildLook, formatLabel } from './type-look.ts'

/** `source`: finds the lines of the file; undefined for people who do not see it. */
export function describeTypes(place: LiveApp, source: SourceText | undefined): described.Model {
  const { config, model, graphqlEndpoint } = place
  const looks = new Map(
    Object.entries(config.looks).map(([name, look]) => [findDataType(name, model.contentTypes), look]),
  )
  const getLine = (path: DiagnosticPath): described.Place | undefined => {
    const found = source?.locate(path, 'key')
    return found && { file: found.source.name, line: found.start.line }
  }
  const hasSchedules = isPluginEnabled(config, 'scheduling')
  const getAttributes = (
    schema: ContentType | Component,
    path: DiagnosticPath | undefined,
  ): readonly described.Attribute[] =>
    [...schema.attributes.values()].map((attribute) => ({
      ...describeAttribute(attribute),
      ...(path === undefined || attribute.declared === undefined
        ? {}
        : { place: getLine([...path, 'attributes', attribute.name]) }),
    }))
  return {
    dialect: config.dialect,
    prefix: config.rest.prefix,
    graphql: graphqlEndpoint,
    graphiql: hasExplorer(place),
    uploads: isPluginEnabled(config, 'upload'),
    types: [...model.contentTypes.values()].map((type) => {
      const path = type.sourceKey === undefined ? undefined : ['contentTypes', type.sourceKey]
      const own = getPlugin(type.uid) === ''
      return {
        uid: type.uid,
        own,
        kind: type.kind,
        name: type.singularName,
        plural: type.pluralName,
        displayName: type.displayName,
        description: type.description,
        path: own ? listPath(type, config.rest.prefix) : undefined,
        graphqlName: nameOfType(type),
        graphqlOne: toCamelCase(`${getPlugin(type.uid)}-${type.singularName}`),
        graphqlMany: toCamelCase(`${getPlugin(type.uid)}-${type.pluralName}`),
        draftAndPublish: type.draftAndPublish,
        schedule: hasSchedules ? readSchedule(type) : undefined,
        needsVersion: type.concurrency === 'required',
        locales: type.locale?.enum,
        defaultLocale: type.locale === undefined ? undefined : String(type.locale.default),
        actions: [...type.rest.actions],
        may: listMay(type, fullAccess, place),
        look: buildLook(type, looks.get(type)),
        checks: type.checks.map(({ text }) => text),
        unique: type.uniqueSets.map((set) => set.map(({ name }) => name)),
        place: path && getLine(path),
        attributes: getAttributes(type, path),
      }
    }),
    components: [...model.components.values()].map((component) => ({
      uid: component.uid,
      displayName: component.displayName,
      graphqlName: nameOfComponent(component),
      place: getLine(['components', component.uid]),
      attributes: getAttributes(component, ['components', component.uid]),
    })),
  }
}

function readSchedule({ pluginOptions }: ContentType): described.Type['schedule'] {
  const options = pluginOptions?.['scheduling']
  if (!isRecord(options)) return undefined
  const getName = (key: string): string | undefined =>
    typeof options[key] === 'string' ? options[key] : undefined
  const schedule = { publishAt: getName('publishAt'), unpublishAt: getName('unpublishAt') }
  return schedule.publishAt === undefined && schedule.unpublishAt === undefined ? undefined : schedule
}

function describeAttribute(attribute: Attribute): described.Attribute {
  const { name, kind, type, required, writable, localized } = attribute
  const { displayName, description, placeholder } = attribute.declared ?? {}
  const common = {
    name,
    label: displayName ?? formatLabel(name),
    ...(description !== undefined && { description }),
    ...(placeholder !== undefined && { placeholder }),
    kind,
    type,
    ...(required && { required }),
    ...(attribute.private && { private: true }),
    ...(!writable && { writable }),
    ...(attribute.writeOnce && { writeOnce: true }),
    ...(localized && { localized }),
  }
  switch (attribute.kind) {
    case 'scalar': {
      const { unique, default: standard, min, max, minLength, maxLength, regex, targetField } = attribute
      return {
        ...common,
        ...(unique && { unique }),
        ...{ default: standard, min, max, minLength, maxLength, targetField, enum: attribute.enum },
        ...(regex === undefined ? {} : { regex: String(attribute.declared?.regex) }),
        ...(attribute.computed && { computed: attribute.declared?.computed }),
      }
    }
    case 'relation': {
      const { relation, cardinality, target, inverse, owner, targets } = attribute
      const many = cardinality === 'many'
      return {
        ...common,
        ...{ relation, many, target: target?.uid, inverse: inverse?.name, owner },
        ...(target === undefined && { targets: targets.map(({ uid }) => uid) }),
      }
    }
    case 'media':
      return { ...common, many: attribute.multiple, allowedTypes: attribute.allowedTypes }
    case 'component': {
      const { component, repeatable, min, max } = attribute
      return { ...common, component: component.uid, many: repeatable, min, max }
    }
    case 'dynamiczone': {
      const { components, min, max } = attribute
      return { ...common, components: components.map(({ uid }) => uid), min, max }
    }
  }
}

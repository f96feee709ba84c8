// Declares the content-type of files, to which media attributes refer, and its actions.

import type { ApiVersion } from '../../config/config.ts'
import type { ModelContribution } from '../../model/contribution.ts'

export const FILE = 'plugin::upload.file'

export function uploadContribution(apiVersion: ApiVersion): ModelContribution {
  const documents = apiVersion === 'strapi-5'
  return {
    plugin: 'upload',
    paths: ['upload'],
    fileType: FILE,
    contentTypes: {
      [FILE]: {
        kind: 'collectionType',
        collectionName: 'files',
        info: {
          singularName: 'file',
          pluralName: 'files',
          displayName: 'File',
        },
        options: { draftAndPublish: false },
        pluginOptions: {
          graphql: {
            controller: 'plugin::upload.content-api',
            actions: { create: 'upload', update: 'upload', delete: 'destroy' },
            // In Strapi 5, mutations name files by numeric id (`graphql-uploads.ts`).
            ...(documents ? { mutations: false } : {}),
          },
        },
        attributes: {
          name: { type: 'string', required: true },
          alternativeText: { type: 'string' },
          caption: { type: 'string' },
          ...(documents ? { focalPoint: { type: 'json' } } : {}),
          width: { type: 'integer' },
          height: { type: 'integer' },
          formats: { type: 'json' },
          hash: { type: 'string', required: true },
          ext: { type: 'string' },
          mime: { type: 'string', required: true },
          size: { type: 'decimal', required: true },
          url: { type: 'string', required: true },
          previewUrl: { type: 'string' },
          provider: { type: 'string', required: true },
          provider_metadata: { type: 'json' },
        },
        rest: { config: {} },
      },
    },
    operationPermissions: {
      [FILE]: {
        find: 'plugin::upload.content-api.find',
        create: 'plugin::upload.content-api.upload',
        update: 'plugin::upload.content-api.upload',
        delete: 'plugin::upload.content-api.destroy',
      },
    },
    actions: ['find', ...(documents ? ['findPage'] : []), 'findOne', 'destroy', 'upload'].map(
      (action) => `plugin::upload.content-api.${action}`,
    ),
  }
}

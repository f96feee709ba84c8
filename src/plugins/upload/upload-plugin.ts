// The upload plugin: stores files and serves them. This module only joins its parts.

import type { PluginShorthands } from '../../config/shorthand/shorthand.ts'
import { invariant } from '../../errors/invariant.ts'
import type { Plugin } from '../plugin.ts'
import { FILE_INTAKE, GRAPHQL_EXTENSION, MEMORY_FILES, METRICS, USER_CODE } from '../services.ts'
import { FILE, uploadContribution } from './content-types.ts'
import { countUploads } from './count-uploads.ts'
import { createIntake } from './create-intake.ts'
import { fileLifecycle } from './file-lifecycle.ts'
import { graphqlUploads } from './graphql-uploads.ts'
import { createImages } from './images.ts'
import { openProvider } from './open-provider.ts'
import { openStoredFiles } from './open-stored-files.ts'
import { describeOperations } from './operations.ts'
import { checkSettings, codeOf, localFolder, packagesOf, parseOptions } from './options.ts'
import { fileRoutes } from './serve-files.ts'
import { isShown } from './shown-keys.ts'
import { uploadRoutes } from './upload-routes.ts'
import { createUploads } from './uploads.ts'

const imageTypes = ['images']

const fileAliases: NonNullable<PluginShorthands['attributeAliases']> = {
  image: { description: 'One image.', attribute: { type: 'media', allowedTypes: imageTypes } },
  images: {
    description: 'Several images.',
    attribute: { type: 'media', multiple: true, allowedTypes: imageTypes },
  },
  file: { description: 'One file of any kind.', attribute: { type: 'media' } },
  files: { description: 'Several files of any kind.', attribute: { type: 'media', multiple: true } },
}

export const uploadPlugin: Plugin = {
  name: 'upload',
  onByDefault: true,
  shorthands: { attributeAliases: fileAliases },
  checkSettings,
  inMemory: (config) => ({ ...config, provider: 'memory', providerOptions: {} }),
  graphqlNames: {
    fields: [
      ...['upload', 'multipleUpload', 'updateFileInfo', 'removeFile'],
      ...['updateUploadFile', 'deleteUploadFile'],
      // Strapi's root fields for folders, which this server does not have.
      ...['uploadFolder', 'uploadFolders'],
    ],
    types: ['FileInfoInput'],
    typePrefixes: ['UploadFolder'],
  },
  enable(settings) {
    const options = parseOptions(settings)
    return {
      contribution: uploadContribution(settings.whole.dialect),
      packages: packagesOf(options),
      code: codeOf(options),
      uploadFolders: [localFolder(options)],
      describeOperations: describeOperations(settings.whole.dialect === 'strapi-5'),
      openStoredFiles: (exported) => openStoredFiles(options, exported),
      activate(context) {
        const { content, log, model } = context
        const fileType = model.contentTypes.get(FILE)
        invariant(fileType !== undefined, `the plugin contributed ${FILE}`)
        const provider = openProvider(options, context.need(MEMORY_FILES), context.need(USER_CODE))
        const images = createImages({ ...options, log })
        const received = createIntake({
          ...{ content, fileType, options, images },
          pending: provider.pending,
          provider: provider.get,
        })
        const intake = countUploads(received, context.get(METRICS))
        const uploads = createUploads({ content, model, fileType, intake })
        return {
          routes: [...uploadRoutes({ context, fileType, uploads }), ...fileRoutes(provider.get)],
          lifecycles: [
            fileLifecycle(fileType, intake.removeKeys, (error) =>
              log.warn(`the data of a deleted file could not be removed: ${String(error)}`),
            ),
          ],
          provides: [
            FILE_INTAKE.provide(intake),
            GRAPHQL_EXTENSION.provide((tools) =>
              graphqlUploads({ content, dialect: model.dialect, fileType, uploads, tools }),
            ),
          ],
          async prepare() {
            await provider.pending?.sweep(Date.now(), {
              isShown: (key) => isShown(key, content, fileType),
              remove: async (key) => (await provider.get()).remove(key),
              failed: (error) =>
                log.warn(`a file that an unfinished upload left could not be removed: ${String(error)}`),
            })
            await provider.sweep(context.now())
          },
        }
      },
    }
  },
}

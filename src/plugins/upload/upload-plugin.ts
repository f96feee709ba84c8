// The upload plugin: stores files and serves them.

import type { PluginShorthands } from '../../config/shorthand/shorthand.ts'
import { invariant } from '../../lib/errors/invariant.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { Metrics } from '../../observe/metrics/metrics.ts'
import type { Content } from '../../write/content.ts'
import type { Plugin } from '../plugin.ts'
import { FILE_INTAKE, GRAPHQL_EXTENSION, MEMORY_FILES, METRICS, USER_CODE } from '../services.ts'
import { FILE, uploadContribution } from './content-types.ts'
import type { Intake } from './create-intake.ts'
import { createIntake } from './create-intake.ts'
import { listKeys } from './file-data.ts'
import { createFileLifecycle } from './file-lifecycle.ts'
import { createGraphqlUploads } from './graphql-uploads.ts'
import { createImages } from './images.ts'
import { openProvider } from './open-provider.ts'
import { openStoredFiles } from './open-stored-files.ts'
import { describeOperations } from './operations.ts'
import { checkSettings, getCode, getLocalFolder, listPackages, parseOptions } from './options.ts'
import { createFileRoutes } from './serve-files.ts'
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
      // Root fields of Strapi for folders, which this server lacks.
      ...['uploadFolder', 'uploadFolders'],
    ],
    types: ['FileInfoInput'],
    typePrefixes: ['UploadFolder'],
  },
  enable(settings) {
    const options = parseOptions(settings)
    return {
      contribution: uploadContribution(settings.whole.dialect),
      packages: listPackages(options),
      code: getCode(options),
      uploadFolders: [getLocalFolder(options)],
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
          routes: [...uploadRoutes({ context, fileType, uploads }), ...createFileRoutes(provider.get)],
          lifecycles: [
            createFileLifecycle(fileType, intake.removeKeys, (error) =>
              log.warn(`the data of a deleted file could not be removed: ${String(error)}`),
            ),
          ],
          provides: [
            FILE_INTAKE.provide(intake),
            GRAPHQL_EXTENSION.provide((tools) =>
              createGraphqlUploads({ content, apiVersion: model.apiVersion, fileType, uploads, tools }),
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

function countUploads(intake: Intake, metrics: Metrics | undefined): Intake {
  if (metrics === undefined) return intake
  const files = metrics.counter('cms_uploads_total', 'Files that were stored.').of()
  const bytes = metrics.counter('cms_upload_bytes_total', 'Bytes of the files that were stored.').of()
  return {
    ...intake,
    async store(received, infos, by) {
      const stored = await intake.store(received, infos, by)
      files.add(received.length)
      bytes.add(received.reduce((sum, { size }) => sum + size, 0))
      return stored
    },
  }
}

/** Whether an entry shows the key, as the file itself or as one of its formats. */
async function isShown(key: string, content: Content, fileType: ContentType): Promise<boolean> {
  const files = await content.findAll(fileType, {
    filters: { hash: { $in: hashesFor(key) } },
    fields: ['hash', 'ext', 'formats'],
  })
  return files.some((file) => listKeys(file).includes(key))
}

/**
 * `small_a_1b.tar.gz` -> all its possible hashes: the prefix may name a format, and the ending may have
 * several parts.
 */
function hashesFor(key: string): readonly string[] {
  const names = [key]
  for (let dot = key.lastIndexOf('.'); dot > 0; dot = key.lastIndexOf('.', dot - 1))
    names.push(key.slice(0, dot))
  const hashes = names.flatMap((name) => {
    const parts = name.split('_')
    return parts.map((_, index) => parts.slice(index).join('_'))
  })
  return [...new Set(hashes)].slice(0, MAX_HASHES)
}

/** Uploads make no key with more possible hashes. */
const MAX_HASHES = 1000

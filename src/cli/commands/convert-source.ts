// Makes the configuration of a Strapi project that an import writes, without what a configuration refuses.

import { dirname, resolve } from 'node:path'
import type { CheckedConfig } from '../../app/check-config.ts'
import type { YamlComment } from '../../config/yaml/write-yaml.ts'
import { buildPermissionMatrix } from '../../describe/permission-matrix.ts'
import type { CarryOptions } from '../../strapi/import/code/carry-code.ts'
import { findGuards } from '../../strapi/import/code/find-guards.ts'
import type { Guards } from '../../strapi/import/guards.ts'
import type { ImportReport } from '../../strapi/import/import-notes.ts'
import { makeConfig } from '../../strapi/import/make-config.ts'
import { readProject } from '../../strapi/import/read-project.ts'
import type { Json, StrapiSource } from '../../strapi/import/strapi-source.ts'
import { bundleUserCode } from '../../user-code/bundle-user-code.ts'
import type { Invocation } from '../invocation.ts'
import { COPY_FOLDER } from './copy-code.ts'
import { repairConfig } from './repair-config.ts'

export interface ConvertedSource {
  readonly config: Json
  readonly comments: readonly YamlComment[]
  readonly report: ImportReport
  readonly checked: CheckedConfig
}

export async function convertProject(folder: string, invocation: Invocation): Promise<ConvertedSource> {
  const source = await readProject(folder)
  const guards = await findGuards(folder, source.contentTypes, getCarrying(invocation, source))
  return convertSource(source, guards, invocation)
}

export async function convertSource(
  source: StrapiSource,
  guards: Guards,
  { check }: Invocation,
): Promise<ConvertedSource> {
  // The default role may be one of the project's.
  const advanced = source.advanced && { ...source.advanced, default_role: '' }
  const options = { ...check, loadsCode: false }
  const { config: withoutRoles } = makeConfig({ ...source, roles: [], advanced }, guards)
  const bare = await repairConfig(withoutRoles, options, () => {})
  const actions =
    bare.config === undefined || bare.model === undefined
      ? undefined
      : new Set(buildPermissionMatrix(bare.config, bare.model).actions)
  const { config, comments, notes } = makeConfig(
    source,
    guards,
    (action) => actions === undefined || actions.has(action) || guards.carried.addedActions.has(action),
  )
  const checked = await repairConfig(config, options, (group, note) => notes.add(group, note))
  return { config, comments, report: notes.report, checked }
}

export function getCarrying({ file, io, command }: Invocation, { plugins }: StrapiSource): CarryOptions {
  const directory = dirname(resolve(io.cwd, file))
  return {
    directory,
    ...(command.flags.copies && { copyFolder: COPY_FOLDER }),
    hasGraphql: plugins.has('graphql'),
    async findLoadFault(file) {
      const bundled = await bundleUserCode([file], directory)
      return bundled.ok ? undefined : bundled.faults[0]?.message
    },
  }
}

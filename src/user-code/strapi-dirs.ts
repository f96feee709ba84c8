// `strapi.dirs` for users' code: the folders of Strapi's projects, below that of the configuration.

import { join } from 'node:path'

type Folders = Readonly<Record<string, string>>

export interface StrapiDirs {
  readonly app: Folders
  readonly dist: Folders
  readonly static: { readonly public: string }
}

export function createStrapiDirs(root: string): StrapiDirs {
  const src = join(root, 'src')
  const inSource = ['api', 'components', 'extensions', 'policies', 'middlewares'].map((name) => [
    name,
    join(src, name),
  ])
  const app: Folders = { root, src, config: join(root, 'config'), ...Object.fromEntries(inSource) }
  return { app, dist: app, static: { public: join(root, 'public') } }
}

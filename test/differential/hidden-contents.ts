// Two contents that differ only in documents that the caller may not see.

import { oneOf, randomOf, whole } from './rule-worlds.ts'

export const TOKEN = 'token-of-the-test'
export const MOMENT = '2024-01-01T00:00:00.000Z'
const TIMES = { createdAt: MOMENT, updatedAt: MOMENT }
export const DOC = 'api::doc.doc'
const relation = (kind: string, target: string, side: object = {}) => ({
  type: 'relation',
  relation: kind,
  target,
  ...side,
})

/** With `hidden`, there are documents that are not open; everything else is the same. */
export function configOf(hidden: boolean) {
  const random = randomOf(7)
  const docs = Array.from({ length: 30 }, (_, index) => ({
    id: index + 1,
    title: oneOf(random, ['a', 'b', 'ab']),
    rank: whole(random, 5),
    open: random() < 0.5,
    team: 1 + whole(random, 3),
    locale: index % 4 === 3 ? 'fr' : 'en',
    publishedAt: random() < 0.8 ? MOMENT : null,
    ...TIMES,
  }))
  const there = docs.filter(({ open }) => hidden || open)
  const ids = new Set(there.map(({ id }) => id))
  const links = docs.map(() => ({
    main: 1 + whole(random, 30),
    related: Array.from({ length: 3 }, () => 1 + whole(random, 30)),
  }))
  /** Some document, if it is there. */
  const some = (): { readonly doc?: number } => {
    const doc = 1 + whole(random, 30)
    return ids.has(doc) ? { doc } : {}
  }
  const several = (): number[] => Array.from({ length: 4 }, () => 1 + whole(random, 30))
  const targets = (all: readonly number[]) =>
    [...new Set(all)].filter((doc) => ids.has(doc)).map((doc) => ({ __type: DOC, id: doc }))
  return {
    rest: { publicDrafts: false },
    plugins: { graphql: true, i18n: { config: { locales: ['en', 'fr'] } } },
    contentTypes: {
      team: {
        attributes: {
          name: 'string',
          docs: relation('oneToMany', DOC, { mappedBy: 'team' }),
          about: { type: 'relation', relation: 'morphToMany' },
        },
      },
      page: {
        attributes: {
          title: 'string',
          pick: relation('oneToOne', DOC),
          docs: relation('manyToMany', DOC, { inversedBy: 'pages' }),
          one: { type: 'relation', relation: 'morphToOne' },
          about: { type: 'relation', relation: 'morphToMany' },
          box: { type: 'component', component: 'ui.box' },
          boxes: { type: 'component', component: 'ui.box', repeatable: true },
          zone: { type: 'dynamiczone', components: ['ui.box', 'ui.list'] },
        },
      },
      doc: {
        options: { draftAndPublish: true },
        pluginOptions: { i18n: { localized: true } },
        attributes: {
          pages: relation('manyToMany', 'api::page.page', { mappedBy: 'docs' }),
          title: { type: 'string', pluginOptions: { i18n: { localized: true } } },
          rank: 'integer',
          open: 'boolean',
          photo: { type: 'media', multiple: false, allowedTypes: ['images'] },
          team: relation('manyToOne', 'api::team.team', { inversedBy: 'docs' }),
          main: relation('manyToOne', DOC),
          related: relation('manyToMany', DOC),
        },
      },
    },
    components: {
      'ui.box': { attributes: { label: 'string', doc: relation('manyToOne', DOC) } },
      'ui.list': { attributes: { docs: relation('manyToMany', DOC) } },
    },
    auth: {
      roles: { public: { permissions: [] } },
      apiTokens: [
        {
          name: 'reader',
          type: 'custom',
          token: TOKEN,
          permissions: [
            'team.read',
            'page.read',
            'page.update',
            'plugin::upload.content-api.upload',
            { 'doc.*': { where: 'open' } },
          ],
        },
      ],
    },
    data: {
      team: [1, 2, 3].map((id) => ({
        id,
        name: `t${id}`,
        about: [id, id + 5, id + 9].filter((doc) => ids.has(doc)).map((doc) => ({ __type: DOC, id: doc })),
        ...TIMES,
      })),
      page: [1, 2, 3, 4].map((id) => ({
        id,
        title: `p${id}`,
        ...(ids.has(id * 3) && { pick: id * 3 }),
        docs: [...new Set(several())].filter((doc) => ids.has(doc)),
        ...(ids.has(id + 11) && { one: { __type: DOC, id: id + 11 } }),
        about: targets(several()),
        box: { label: 'box', ...some() },
        boxes: [
          { label: 'first', ...some() },
          { label: 'second', ...some() },
        ],
        zone: [
          { __component: 'ui.box', label: 'zone', ...some() },
          { __component: 'ui.list', docs: [...new Set(several())].filter((doc) => ids.has(doc)) },
        ],
        ...TIMES,
      })),
      doc: there.map((doc) => {
        const { main, related } = links[doc.id - 1] ?? { main: 1, related: [] }
        return {
          ...doc,
          ...(ids.has(main) && { main }),
          ...(doc.locale === 'fr' && ids.has(doc.id - 1) && { localizations: [doc.id - 1] }),
          related: [...new Set(related)].filter((id) => ids.has(id)),
        }
      }),
    },
  }
}

export const hiddenIds = configOf(true).data.doc.flatMap(({ id, open }) => (open ? [] : [id]))
export const openIds = configOf(false).data.doc.map(({ id }) => id)

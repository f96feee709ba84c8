import { describe, expect, test } from 'vitest'
import { buildModel } from '../../../src/model/build-model.ts'
import type { Model } from '../../../src/model/model.ts'
import { enablePlugins, getModelParts } from '../../../src/plugins/plugin-host.ts'
import { type ConfigParts, configOf } from './config-of.ts'

function modelOf(parts: ConfigParts): Model {
  const config = configOf(parts)
  const outcome = buildModel(config, getModelParts(enablePlugins(config)))
  if (!outcome.ok) throw new Error(outcome.diagnostics.map(({ message }) => message).join('\n'))
  return outcome.value
}

function typeOf(model: Model, uid: string) {
  const type = model.contentTypes.get(uid)
  if (type === undefined) throw new Error(`no ${uid}`)
  return type
}

function attributeOf(model: Model, uid: string, name: string) {
  const attribute = (model.contentTypes.get(uid) ?? model.components.get(uid))?.attributes.get(name)
  if (attribute === undefined) throw new Error(`no ${uid} ${name}`)
  return attribute
}

const article = 'api::article.article'
const author = 'api::author.author'

describe('content-types', () => {
  test('keep the order of the file, plugins after them', () => {
    const model = modelOf({ contentTypes: { zebra: {}, apple: {} } })
    expect([...model.contentTypes.keys()]).toEqual([
      'api::zebra.zebra',
      'api::apple.apple',
      'plugin::upload.file',
      'plugin::users-permissions.user',
      'plugin::users-permissions.role',
      'plugin::users-permissions.permission',
    ])
  })

  test('have system attributes, publishedAt with draftAndPublish only', () => {
    const model = modelOf({
      contentTypes: { article: { options: { draftAndPublish: true } }, author: {} },
    })
    const columns = (uid: string) =>
      [...typeOf(model, uid).systemAttributes.values()].map(({ name, column }) => [name, column])
    expect(columns(article)).toEqual([
      ['createdAt', 'created_at'],
      ['updatedAt', 'updated_at'],
      ['publishedAt', 'published_at'],
    ])
    expect(columns(author)).toEqual([
      ['createdAt', 'created_at'],
      ['updatedAt', 'updated_at'],
    ])
    expect(typeOf(model, author).publishedAt).toBeUndefined()
    expect(typeOf(model, article).id).toMatchObject({ type: 'integer', column: 'id', system: true })
  })

  for (const [name, type, expected] of [
    ['all actions of a collection type', {}, ['find', 'findOne', 'create', 'update', 'delete']],
    ['all actions of a single type', { kind: 'singleType' }, ['find', 'update', 'delete']],
    ['only', { rest: { only: ['find', 'create'], config: {} } }, ['find', 'create']],
    ['except', { rest: { except: ['delete'], config: {} } }, ['find', 'findOne', 'create', 'update']],
  ] as const) {
    test(`rest serves ${name}`, () => {
      const model = modelOf({ contentTypes: { article: type } })
      expect([...typeOf(model, article).rest.actions]).toEqual(expected)
    })
  }

  test('of plugins have no generated routes', () => {
    expect(typeOf(modelOf({}), 'plugin::upload.file').rest.actions.size).toBe(0)
  })

  test('are frozen with their attributes', () => {
    const model = modelOf({ contentTypes: { article: { attributes: { title: { type: 'string' } } } } })
    const type = typeOf(model, article)
    for (const object of [model, type, type.id, type.rest, attributeOf(model, article, 'title')]) {
      expect(Object.isFrozen(object)).toBe(true)
    }
  })
})

describe('scalar attributes', () => {
  test('keep their constraints', () => {
    const model = modelOf({
      contentTypes: {
        article: {
          attributes: { spiceLevel: { type: 'integer', min: 0, max: 5, default: 1, required: true } },
        },
      },
    })
    expect(attributeOf(model, article, 'spiceLevel')).toEqual({
      kind: 'scalar',
      type: 'integer',
      name: 'spiceLevel',
      column: 'spice_level',
      private: false,
      required: true,
      localized: false,
      system: false,
      writable: true,
      readOnly: false,
      writeOnce: false,
      unique: false,
      searchable: true,
      textIndex: false,
      indexedPaths: [],
      default: 1,
      min: 0,
      max: 5,
      minLength: undefined,
      maxLength: undefined,
      regex: undefined,
      enum: undefined,
      targetField: undefined,
      declared: { type: 'integer', min: 0, max: 5, default: 1, required: true },
    })
  })

  for (const [name, attribute, options, isPrivate] of [
    ['private', { type: 'string', private: true }, {}, true],
    ['listed in privateAttributes', { type: 'string' }, { privateAttributes: ['secret'] }, true],
    ['a password', { type: 'password' }, {}, true],
    ['a password that says it is not private', { type: 'password', private: false }, {}, true],
    ['any other', { type: 'string' }, { privateAttributes: [] }, false],
  ] as const) {
    test(`${name}: private is ${isPrivate}`, () => {
      const model = modelOf({ contentTypes: { article: { attributes: { secret: attribute }, options } } })
      expect(attributeOf(model, article, 'secret').private).toBe(isPrivate)
    })
  }

  test('a uid is unique without saying so', () => {
    const model = modelOf({ contentTypes: { article: { attributes: { slug: { type: 'uid' } } } } })
    expect(attributeOf(model, article, 'slug')).toMatchObject({ unique: true })
  })
})

describe('localization', () => {
  const localized = { i18n: { localized: true } }
  const attributes = {
    title: { type: 'string', pluginOptions: localized },
    views: { type: 'integer' },
    slug: { type: 'uid' },
    next: { type: 'relation', relation: 'oneToOne', target: article },
  }
  for (const [name, plugins, pluginOptions, expected] of [
    ['a localized type', { i18n: true }, localized, ['title', 'slug', 'next', 'localizations']],
    ['a type that is not localized', { i18n: true }, {}, []],
    ['i18n switched off', {}, localized, []],
  ] as const) {
    test(name, () => {
      const model = modelOf({ plugins, contentTypes: { article: { pluginOptions, attributes } } })
      const type = typeOf(model, article)
      expect(type.localized).toBe(expected.length > 0)
      const names = [...type.attributes.values()].filter((attribute) => attribute.localized)
      expect(names.map((attribute) => attribute.name)).toEqual(expected)
    })
  }
})

describe('relations', () => {
  const relation = (kind: string, sides: object = {}, target = author) => ({
    type: 'relation',
    relation: kind,
    target,
    ...sides,
  })
  const pair = (near: object, far: object) =>
    modelOf({
      contentTypes: {
        article: { attributes: { author: { type: 'relation', ...near } } },
        author: { attributes: { articles: { type: 'relation', ...far } } },
      },
    })

  test('hold the objects of both sides', () => {
    const model = pair(
      relation('manyToOne', { inversedBy: 'articles' }),
      relation('oneToMany', { mappedBy: 'author' }, article),
    )
    const near = attributeOf(model, article, 'author')
    const far = attributeOf(model, author, 'articles')
    expect(near).toMatchObject({ cardinality: 'one', owner: true, exclusive: false })
    expect(far).toMatchObject({ cardinality: 'many', owner: false, exclusive: true })
    if (near.kind !== 'relation' || far.kind !== 'relation') throw new Error('relations expected')
    expect(near.target).toBe(typeOf(model, author))
    expect(near.inverse).toBe(far)
    expect(far.inverse).toBe(near)
  })

  test('may be owned by the side that Strapi does not give them to', () => {
    const model = pair(
      relation('manyToOne', { mappedBy: 'articles' }),
      relation('oneToMany', { inversedBy: 'author' }, article),
    )
    expect(attributeOf(model, article, 'author')).toMatchObject({ owner: false, exclusive: false })
    expect(attributeOf(model, author, 'articles')).toMatchObject({ owner: true, exclusive: true })
  })

  for (const [kind, cardinality] of [
    ['oneToOne', 'one'],
    ['oneToMany', 'many'],
    ['manyToOne', 'one'],
    ['manyToMany', 'many'],
  ] as const) {
    test(`${kind} with one side shares its targets`, () => {
      const model = modelOf({ contentTypes: { article: { attributes: { to: relation(kind) } }, author: {} } })
      expect(attributeOf(model, article, 'to')).toMatchObject({
        cardinality,
        owner: true,
        exclusive: false,
        inverse: undefined,
      })
    })
  }

  test('oneToOne with two sides does not', () => {
    const model = pair(
      relation('oneToOne', { inversedBy: 'articles' }),
      relation('oneToOne', { mappedBy: 'author' }, article),
    )
    expect(attributeOf(model, article, 'author')).toMatchObject({ exclusive: true })
  })

  test('may point at their own content-type', () => {
    const model = modelOf({
      contentTypes: {
        author: {
          attributes: {
            mentor: relation('manyToOne', { inversedBy: 'mentees' }),
            mentees: relation('oneToMany', { mappedBy: 'mentor' }),
          },
        },
      },
    })
    const mentor = attributeOf(model, author, 'mentor')
    if (mentor.kind !== 'relation') throw new Error('relation expected')
    expect(mentor.inverse).toBe(attributeOf(model, author, 'mentees'))
  })

  test('morph: the side with morphBy has the other as its inverse', () => {
    const model = modelOf({
      contentTypes: {
        note: { attributes: { link: { type: 'relation', relation: 'morphToOne' } } },
        article: {
          attributes: {
            notes: { type: 'relation', relation: 'morphMany', target: 'api::note.note', morphBy: 'link' },
          },
        },
      },
    })
    const link = attributeOf(model, 'api::note.note', 'link')
    expect(link).toMatchObject({ owner: true, target: undefined, inverse: undefined, cardinality: 'one' })
    const notes = attributeOf(model, article, 'notes')
    expect(notes).toMatchObject({ owner: false, cardinality: 'many' })
    expect(notes.kind === 'relation' ? notes.inverse : undefined).toBe(link)
  })
})

describe('media, components and zones', () => {
  const model = modelOf({
    contentTypes: {
      page: {
        attributes: {
          cover: { type: 'media', allowedTypes: ['images'] },
          docs: { type: 'media', multiple: true },
          seo: { type: 'component', component: 'shared.seo' },
          rows: { type: 'component', component: 'shared.row', repeatable: true, min: 1, max: 3 },
          body: { type: 'dynamiczone', components: ['shared.row', 'shared.seo'] },
        },
      },
    },
    components: {
      'shared.row': { attributes: { seo: { type: 'component', component: 'shared.seo' } } },
      'shared.seo': { attributes: { title: { type: 'string' } } },
    },
  })
  const page = 'api::page.page'

  test('media point at the files of the upload plugin', () => {
    const file = typeOf(model, 'plugin::upload.file')
    expect(attributeOf(model, page, 'cover')).toMatchObject({ multiple: false, allowedTypes: ['images'] })
    expect(attributeOf(model, page, 'docs')).toMatchObject({
      multiple: true,
      allowedTypes: ['images', 'files', 'videos', 'audios'],
    })
    const cover = attributeOf(model, page, 'cover')
    expect(cover.kind === 'media' ? cover.target : undefined).toBe(file)
  })

  test('components are held as objects, nested ones too', () => {
    const seo = model.components.get('shared.seo')
    const held = (uid: string, name: string) => {
      const attribute = attributeOf(model, uid, name)
      return attribute.kind === 'component' ? attribute.component : undefined
    }
    expect(seo).toMatchObject({ uid: 'shared.seo', category: 'shared', name: 'seo' })
    expect(held(page, 'seo')).toBe(seo)
    expect(held('shared.row', 'seo')).toBe(seo)
    expect(attributeOf(model, page, 'rows')).toMatchObject({ repeatable: true, min: 1, max: 3 })
  })

  test('zones list their components', () => {
    const body = attributeOf(model, page, 'body')
    expect(body.kind === 'dynamiczone' ? body.components : []).toEqual([
      model.components.get('shared.row'),
      model.components.get('shared.seo'),
    ])
  })
})

describe("plugins' content-types", () => {
  const user = 'plugin::users-permissions.user'

  test('are extended by the file', () => {
    const model = modelOf({
      contentTypes: {
        [user]: {
          attributes: { nickname: { type: 'string' } },
          options: { privateAttributes: ['provider'] },
        },
      },
    })
    const type = typeOf(model, user)
    expect([...type.attributes.keys()].at(0)).toBe('username')
    expect([...type.attributes.keys()].at(-1)).toBe('nickname')
    expect(type).toMatchObject({ collectionName: 'up_users', sourceKey: user })
    expect(attributeOf(model, user, 'provider').private).toBe(true)
  })

  test('keep what they need when the file repeats their attributes', () => {
    const model = modelOf({
      contentTypes: {
        [user]: {
          attributes: {
            resetPasswordToken: { type: 'string' },
            username: { type: 'string', minLength: 5 },
          },
        },
      },
    })
    expect(attributeOf(model, user, 'resetPasswordToken').private).toBe(true)
    expect(attributeOf(model, user, 'username')).toMatchObject({ minLength: 5, unique: true, required: true })
    expect([...typeOf(model, user).attributes.keys()].slice(0, 2)).toEqual(['username', 'email'])
  })

  test('are absent when the plugin is switched off', () => {
    const model = modelOf({ plugins: { upload: false, 'users-permissions': false } })
    expect(model.contentTypes.size).toBe(0)
  })
})

// A configuration with every kind of attribute, and entries that use them all.

export const everything = `
plugins:
  i18n: { config: { defaultLocale: en, locales: [en, fr] } }
components:
  shared.seo: { attributes: { metaTitle: string, image: { type: media, multiple: false } } }
  page.quote: { attributes: { text: text, seo: { type: component, component: shared.seo } } }
contentTypes:
  tag:
    attributes:
      name: { type: string, unique: true }
      articles: { type: relation, relation: manyToMany, target: api::article.article, mappedBy: tags }
  article:
    options: { draftAndPublish: true }
    pluginOptions: { i18n: { localized: true } }
    attributes:
      title: { type: string, pluginOptions: { i18n: { localized: true } } }
      slug: { type: uid, targetField: title }
      body: richtext
      blocks: blocks
      mail: email
      secret: password
      count: integer
      big: biginteger
      ratio: float
      price: decimal
      open: boolean
      day: date
      at: time
      moment: datetime
      stamp: timestamp
      mood: { type: enumeration, enum: [good, bad] }
      extra: json
      cover: { type: media, multiple: true }
      seo: { type: component, component: shared.seo }
      quotes: { type: component, component: page.quote, repeatable: true }
      zone: { type: dynamiczone, components: [page.quote, shared.seo] }
      tags: { type: relation, relation: manyToMany, target: api::tag.tag, inversedBy: articles }
  comment:
    attributes:
      text: string
      about: { type: relation, relation: morphToMany }
auth:
  users: [{ username: ann, email: ann@example.com, password: secret-of-ann, role: authenticated }]
data:
  tag: [{ id: 9, name: c }, { id: 2, name: a }, { id: 5, name: b }]
  plugin::upload.file:
    - { id: 4, name: a.png, hash: a_1, ext: .png, mime: image/png, size: 0.1, url: /uploads/a_1.png, provider: local, formats: { thumbnail: { hash: thumbnail_a_1, ext: .png, mime: image/png, url: /uploads/thumbnail_a_1.png } } }
    - { id: 3, name: b.txt, hash: b_2, ext: .txt, mime: text/plain, size: 0.2, url: /uploads/b_2.txt, provider: local }
  article:
    - id: 11
      title: "Été \\u0001 \\U0001F600"
      slug: one
      body: "# x"
      blocks: [{ type: paragraph, children: [{ type: text, text: hi }] }]
      mail: a@example.com
      secret: hidden
      count: -7
      big: '9223372036854775807'
      ratio: 0.1
      price: 12.5
      open: false
      day: 2024-02-29
      at: '12:34:56.789'
      moment: 2024-02-29T12:34:56.789Z
      stamp: 1969-12-31T23:59:59.001Z
      mood: bad
      extra: { b: [1, 2.5, null, "x"], a: {} }
      cover: [4, 3]
      seo: { metaTitle: M, image: 3 }
      quotes: [{ text: q1, seo: { metaTitle: inner } }, { text: q2 }]
      zone: [{ __component: shared.seo, metaTitle: Z1 }, { __component: page.quote, text: Z2 }]
      tags: [5, 9, 2]
      localizations: [12]
      createdAt: 2020-01-01T00:00:00.000Z
      updatedAt: 2021-01-01T00:00:00.000Z
    - { id: 12, title: Un, slug: un, locale: fr, localizations: [11], tags: [9], publishedAt: null }
    - { id: 40, title: Draft, slug: draft, publishedAt: null }
  comment: [{ id: 1, text: hi, about: [{ __type: api::tag.tag, id: 9 }, { __type: api::article.article, id: 11 }] }]
`

// The shorthands, each with what it stands for.

/** One attribute of `article`, beside others. */
export const attributes: readonly (readonly [short: string, full: string])[] = [
  ['string!', '{ type: string, required: true }'],
  ['string?', 'string'],
  ['{ type: "string!", maxLength: 5 }', '{ type: string, required: true, maxLength: 5 }'],
  ['{ type: "string!", required: false }', '{ type: string, required: false }'],
  ['int', 'integer'],
  ['{ type: int, min: 0 }', '{ type: integer, min: 0 }'],
  ['number', 'float'],
  ['bool', 'boolean'],
  ['money!', '{ type: decimal, required: true }'],
  ['markdown', 'richtext'],
  ['slug', '{ type: uid, targetField: title }'],
  ['slug!', '{ type: uid, required: true, targetField: title }'],
  ['{ type: slug, from: other }', '{ type: uid, targetField: other }'],
  ['{ type: uid, from: other }', '{ type: uid, targetField: other }'],
  ['uid', '{ type: uid }'],
  ['image', '{ type: media, allowedTypes: [images] }'],
  ['images', '{ type: media, multiple: true, allowedTypes: [images] }'],
  ['[image]', '{ type: media, allowedTypes: [images], multiple: true }'],
  ['[media]', '{ type: media, multiple: true }'],
  ['file', '{ type: media }'],
  ['files!', '{ type: media, multiple: true, required: true }'],
  ['{ type: image, allowedTypes: [images, videos] }', '{ type: media, allowedTypes: [images, videos] }'],
  ['[S, M, L]', '{ type: enumeration, enum: [S, M, L] }'],
  ['[draft]', '{ type: enumeration, enum: [draft] }'],
  ['[text, image]', '{ type: enumeration, enum: [text, image] }'],
  ['{ type: [S, M], default: S }', '{ type: enumeration, enum: [S, M], default: S }'],
  ['{ type: enum, values: [S, M] }', '{ type: enumeration, enum: [S, M] }'],
  ['{ type: enumeration, values: [S, M] }', '{ type: enumeration, enum: [S, M] }'],
  ['{ enum: [S, M], default: S }', '{ type: enumeration, enum: [S, M], default: S }'],
  ['{ values: [S, M] }', '{ type: enumeration, enum: [S, M] }'],
  ['[1, 2]', '{ type: enumeration, enum: [1, 2] }'],
  ['{ computed: size(title) + 1 }', '{ type: computed, computed: size(title) + 1 }'],
  ['{ type: number, computed: size(title) + 1 }', '{ type: float, computed: size(title) + 1 }'],
  ['author', '{ type: relation, relation: manyToOne, target: api::author.author }'],
  ['author!', '{ type: relation, relation: manyToOne, target: api::author.author, required: true }'],
  ['authors', '{ type: relation, relation: manyToOne, target: api::author.author }'],
  ['post', '{ type: relation, relation: manyToOne, target: api::forum.post }'],
  ['category', '{ type: relation, relation: manyToOne, target: api::categories.categories }'],
  ['categories', '{ type: relation, relation: manyToOne, target: api::categories.categories }'],
  ['[author]', '{ type: relation, relation: manyToMany, target: api::author.author }'],
  ['user', '{ type: relation, relation: manyToOne, target: plugin::users-permissions.user }'],
  ['{ target: user }', '{ type: relation, relation: manyToOne, target: plugin::users-permissions.user }'],
  [
    '{ target: [author], private: true }',
    '{ type: relation, relation: manyToMany, target: api::author.author, private: true }',
  ],
  [
    '{ type: author, private: true }',
    '{ type: relation, relation: manyToOne, target: api::author.author, private: true }',
  ],
  [
    '{ type: [author], required: true }',
    '{ type: relation, relation: manyToMany, target: api::author.author, required: true }',
  ],
  [
    '{ type: relation, target: author }',
    '{ type: relation, relation: manyToOne, target: api::author.author }',
  ],
  [
    '{ type: relation, relation: oneToOne, target: author }',
    '{ type: relation, relation: oneToOne, target: api::author.author }',
  ],
  [
    '{ type: relation, target: author, many: true }',
    '{ type: relation, relation: manyToMany, target: api::author.author }',
  ],
  ['{ target: author, many: true }', '{ type: relation, relation: manyToMany, target: api::author.author }'],
  ['{ target: author, many: false }', '{ type: relation, relation: manyToOne, target: api::author.author }'],
  [
    '{ target: [author], many: true }',
    '{ type: relation, relation: manyToMany, target: api::author.author }',
  ],
  ['{ type: author, many: true }', '{ type: relation, relation: manyToMany, target: api::author.author }'],
  ['Author', '{ type: relation, relation: manyToOne, target: api::author.author }'],
  ['[Author]', '{ type: relation, relation: manyToMany, target: api::author.author }'],
  ['seo', '{ type: component, component: shared.seo }'],
  ['seo!', '{ type: component, component: shared.seo, required: true }'],
  ['shared.seo', '{ type: component, component: shared.seo }'],
  ['[hero]', '{ type: component, component: page.hero, repeatable: true }'],
  ['{ component: [hero], max: 3 }', '{ type: component, component: page.hero, repeatable: true, max: 3 }'],
  [
    '{ type: component, component: hero, repeatable: true }',
    '{ type: component, component: page.hero, repeatable: true }',
  ],
  ['{ zone: [hero, seo] }', '{ type: dynamiczone, components: [page.hero, shared.seo] }'],
  [
    '{ type: dynamiczone, components: [hero, shared.seo], max: 2 }',
    '{ type: dynamiczone, components: [page.hero, shared.seo], max: 2 }',
  ],
]

/** Whole files. */
export const files: readonly (readonly [what: string, short: string, full: string])[] = [
  [
    'attributes right under their type',
    'contentTypes: { article: { title: string } }\ncomponents: { shared.seo: { title: string } }',
    'contentTypes: { article: { attributes: { title: string } } }\ncomponents: { shared.seo: { attributes: { title: string } } }',
  ],
  [
    'attributes beside keys of their type',
    'contentTypes: { article: { drafts: true, title: string, unique: [[title, size]], size: [S, M] } }',
    'contentTypes: { article: { options: { draftAndPublish: true }, unique: [[title, size]], attributes: { title: string, size: { type: enumeration, enum: [S, M] } } } }',
  ],
  [
    'attributes with the names of keys',
    'contentTypes: { article: { kind: string, index: integer, attributes: text, localized: boolean } }',
    'contentTypes: { article: { attributes: { kind: string, index: integer, attributes: text, localized: boolean } } }',
  ],
  [
    'names in camelCase',
    `
     contentTypes:
       ticketType: { draftAndPublish: true, title: string!, owner: { target: SupportAgent }, links: [socialLink] }
       SupportAgent: { name: string!, kinds: [ticketTypes] }
       api::desk.desk: { agents: { type: relation, relation: manyToMany, target: supportAgent } }
     components: { socialLink: { href: url } }`,
    `
     contentTypes:
       ticket-type: { options: { draftAndPublish: true }, attributes: { title: { type: string, required: true }, owner: { target: support-agent }, links: [social-link] } }
       support-agent: { attributes: { name: { type: string, required: true }, kinds: [ticket-types] } }
       api::desk.desk: { attributes: { agents: { type: relation, relation: manyToMany, target: api::support-agent.support-agent } } }
     components: { shared.social-link: { href: url } }`,
  ],
  [
    'data in camelCase',
    `
     contentTypes: { ticketType: { title: string!, next: ticketType } }
     data: { ticketTypes: [{ title: one, next: two }, { title: two }] }`,
    `
     contentTypes: { ticket-type: { attributes: { title: { type: string, required: true }, next: ticket-type } } }
     data: { ticket-types: [{ title: one, next: two }, { title: two }] }`,
  ],
  [
    'a name and a description',
    'name: Tickets\ndescription: What people ask for\ncontentTypes: { a: { b: string } }',
    'description: What people ask for\nname: Tickets\ncontentTypes: { a: { attributes: { b: string } } }',
  ],
  [
    'a component without a category',
    'contentTypes: { article: { seo: seo, links: [link] } }\ncomponents: { seo: { title: string }, link: { href: string } }',
    `
     contentTypes:
       article:
         attributes:
           seo: { type: component, component: shared.seo }
           links: { type: component, component: shared.link, repeatable: true }
     components:
       shared.seo: { attributes: { title: string } }
       shared.link: { attributes: { href: string } }`,
  ],
  [
    'components inside attributes, one in the other',
    `
     contentTypes:
       api::shop.product:
         shippingAddress: { street: string!, at: { lat: number } }
         variants: [{ size: [S, M] }]
         extra: { component: { attributes: { note: text }, info: { displayName: More } }, required: true }`,
    `
     contentTypes:
       api::shop.product:
         attributes:
           shippingAddress: { type: component, component: product.shipping-address }
           variants: { type: component, component: product.variant, repeatable: true }
           extra: { type: component, component: product.extra, required: true }
     components:
       product.shipping-address:
         attributes: { street: { type: string, required: true }, at: { type: component, component: product.shipping-address-at } }
       product.variant: { attributes: { size: { type: enumeration, enum: [S, M] } } }
       product.extra: { attributes: { note: text }, info: { displayName: More } }
       product.shipping-address-at: { attributes: { lat: float } }`,
  ],
  [
    'single types and drafts',
    'singleTypes: { homepage: { headline: string }, footer: { drafts: true, attributes: { legal: text } } }\ncontentTypes: { page: { kind: single, attributes: { a: text } } }',
    `
     contentTypes:
       page: { kind: singleType, attributes: { a: text } }
       homepage: { kind: singleType, attributes: { headline: string } }
       footer: { kind: singleType, options: { draftAndPublish: true }, attributes: { legal: text } }`,
  ],
  [
    'localized texts, components and zones of a localized type',
    `
     contentTypes:
       page:
         localized: true
         attributes: { title: string, seo: seo, parts: { zone: [seo] }, date: date, site: url, mail: email, sku: { type: string, unique: true } }
       event:
         localized: true
         attributes: { title: string, about: { type: text, localized: false }, price: { type: money, localized: true } }
     components: { seo: { title: string } }`,
    `
     contentTypes:
       page:
         pluginOptions: { i18n: { localized: true } }
         attributes:
           title: { type: string, pluginOptions: { i18n: { localized: true } } }
           seo: { type: component, component: shared.seo, pluginOptions: { i18n: { localized: true } } }
           parts: { type: dynamiczone, components: [shared.seo], pluginOptions: { i18n: { localized: true } } }
           date: date
           site: { type: string, regex: '^(https?://[^\\s/]\\S*|mailto:\\S+|tel:\\S+|/\\S*)$' }
           mail: email
           sku: { type: string, unique: true }
       event:
         pluginOptions: { i18n: { localized: true } }
         attributes:
           title: { type: string, pluginOptions: { i18n: { localized: true } } }
           about: { type: text, pluginOptions: { i18n: { localized: false } } }
           price: { type: decimal, pluginOptions: { i18n: { localized: true } } }
     components: { shared.seo: { attributes: { title: string } } }`,
  ],
]

/** The relations that come of content-types with nothing but short forms, as `relation other`. */
export const relations: readonly (readonly [
  what: string,
  short: string,
  full: Readonly<Record<string, string>>,
])[] = [
  ['one side only', 'a: { b: b }, b: { x: string }', { 'a.b': 'manyToOne' }],
  [
    'one and many',
    'a: { b: b }, b: { as: [a] }',
    { 'a.b': 'manyToOne inversedBy as', 'b.as': 'oneToMany mappedBy b' },
  ],
  [
    'many and one',
    'a: { bs: [b] }, b: { a: a }',
    { 'a.bs': 'oneToMany mappedBy a', 'b.a': 'manyToOne inversedBy bs' },
  ],
  [
    'one and one',
    'b: { a: a }, a: { b: b }',
    { 'a.b': 'oneToOne inversedBy a', 'b.a': 'oneToOne mappedBy b' },
  ],
  [
    'many and many',
    'a: { bs: [b] }, b: { as: [a] }',
    { 'a.bs': 'manyToMany inversedBy as', 'b.as': 'manyToMany mappedBy bs' },
  ],
  ['its own type', 'a: { as: [a] }', { 'a.as': 'manyToMany' }],
  [
    'a tree',
    'a: { parent: a?, children: [a] }',
    { 'a.parent': 'manyToOne inversedBy children', 'a.children': 'oneToMany mappedBy parent' },
  ],
  [
    'two relations to one type',
    'a: { one: b, two: b }, b: { ones: { of: a.one }, twos: [a] }',
    {
      'a.one': 'manyToOne inversedBy ones',
      'a.two': 'manyToOne inversedBy twos',
      'b.ones': 'oneToMany mappedBy one',
      'b.twos': 'oneToMany mappedBy two',
    },
  ],
  [
    'one to one by name',
    'a: { b: b, c: b }, b: { a: { target: a, of: a.b } }',
    {
      'a.b': 'oneToOne inversedBy a',
      'a.c': 'manyToOne',
      'b.a': 'oneToOne mappedBy b',
    },
  ],
  [
    'kept apart',
    'a: { b: b }, b: { as: { target: [a], oneWay: true } }',
    { 'a.b': 'manyToOne', 'b.as': 'manyToMany' },
  ],
  [
    'one half in full',
    'a: { b: { type: relation, relation: manyToOne, target: b } }, b: { as: [a] }',
    { 'a.b': 'manyToOne inversedBy as', 'b.as': 'oneToMany mappedBy b' },
  ],
  [
    'a full half of another kind',
    'a: { b: { type: relation, relation: oneToOne, target: b } }, b: { as: [a] }',
    { 'a.b': 'oneToOne', 'b.as': 'manyToMany' },
  ],
  [
    'both halves in full',
    `a: { b: { type: relation, relation: manyToOne, target: b } },
     b: { as: { type: relation, relation: oneToMany, target: a } }`,
    { 'a.b': 'manyToOne inversedBy as', 'b.as': 'oneToMany mappedBy b' },
  ],
  [
    'both halves of many in full',
    `a: { bs: { type: relation, relation: manyToMany, target: b } },
     b: { as: { type: relation, relation: manyToMany, target: a } }`,
    { 'a.bs': 'manyToMany inversedBy as', 'b.as': 'manyToMany mappedBy bs' },
  ],
  [
    'two of one entry in full, which are two relations in Strapi',
    `a: { b: { type: relation, relation: oneToOne, target: b } },
     b: { a: { type: relation, relation: oneToOne, target: a } }`,
    { 'a.b': 'oneToOne', 'b.a': 'oneToOne' },
  ],
  [
    'a tree in full',
    `a: { parent: { type: relation, relation: manyToOne, target: a },
          children: { type: relation, relation: oneToMany, target: a } }`,
    { 'a.parent': 'manyToOne inversedBy children', 'a.children': 'oneToMany mappedBy parent' },
  ],
  [
    'one half in full names the other',
    `a: { b: { type: relation, relation: manyToOne, target: b, inversedBy: as }, c: b },
     b: { as: { type: relation, relation: oneToMany, target: a } }`,
    { 'a.b': 'manyToOne inversedBy as', 'a.c': 'manyToOne', 'b.as': 'oneToMany mappedBy b' },
  ],
  [
    'one half in full names a short one',
    'a: { b: { type: relation, relation: oneToOne, target: b, mappedBy: a } }, b: { a: a }',
    { 'a.b': 'oneToOne mappedBy a', 'b.a': 'oneToOne inversedBy b' },
  ],
  [
    'inversedBy without a kind',
    'a: { b: { target: b, inversedBy: as }, c: b }, b: { as: [a] }',
    { 'a.b': 'manyToOne inversedBy as', 'a.c': 'manyToOne', 'b.as': 'oneToMany mappedBy b' },
  ],
  [
    'a pair in full, and a third',
    `a: { b: { type: relation, relation: manyToOne, target: b, inversedBy: as } },
     b: { as: { type: relation, relation: oneToMany, target: a, mappedBy: b }, more: [a] }`,
    { 'a.b': 'manyToOne inversedBy as', 'b.as': 'oneToMany mappedBy b', 'b.more': 'manyToMany' },
  ],
]

const permissions: readonly (readonly [short: string, full: string])[] = [
  ['{ action: a.find, owner: user }', '{ a.find: { where: user == me } }'],
  ['{ action: a.find, where: b == "x", fields: [b] }', '{ a.find: { where: b == "x", fields: [b] } }'],
  ['{ a: { owner: user } }', '{ a: { where: user == me } }'],
  ['{ a.create: { owner: user } }', '{ a.create: { set: { user: me } } }'],
  ['{ a.update: { owner: user } }', '{ a.update: { where: user == me, set: { user: me } } }'],
  [
    '{ a.*: { owner: user, set: { b: role } } }',
    '{ a.*: { where: user == me, set: { user: me, b: role } } }',
  ],
  ['{ a.delete: { owner: user } }', '{ a.delete: { where: user == me } }'],
  ['{ a.find: { where: { user: me } } }', '{ a.find: { where: user == me } }'],
  [
    '{ a.find: { where: { user: { id: me.id }, b: [x, "it\'s"] } } }',
    `{ a.find: { where: 'user.id == me.id && b in ["x", "it''s"]' } }`,
  ],
  ['{ a.create: { check: { b: x } } }', `{ a.create: { check: 'b == "x"' } }`],
]

/** Sections beside the content-type `a` with the attributes `b` and `user`. */
export const sections: readonly (readonly [short: string, full: string])[] = [
  ['database: sqlite', 'database: { client: sqlite, filename: .data/cms.db }'],
  ['database: ./shop.sqlite3', 'database: { client: sqlite, filename: ./shop.sqlite3 }'],
  ['database: memory', 'database: { client: memory }'],
  ['database: postgres://a:b@c/d', 'database: { client: postgres, connection: postgres://a:b@c/d }'],
  ['public: [a, a.create]', 'auth: { roles: { public: { permissions: [a, a.create] } } }'],
  [
    'public: { name: All }\nauth: { roles: { clerk: [a.find] } }',
    'auth: { roles: { clerk: { permissions: [a.find] }, public: { name: All } } }',
  ],
  [
    'users: [{ username: ann, email: a@example.com }]\njwtSecret: x',
    'auth: { users: [{ username: ann, email: a@example.com }] }\njwtSecret: x',
  ],
  ...permissions.map(([short, full]): [string, string] => [
    `auth: { roles: { clerk: [${short}] } }`,
    `auth: { roles: { clerk: { permissions: [${full}] } } }`,
  ]),
  ['auth: { roles: { boss: { extends: public } } }', 'auth: { roles: { boss: { extends: [public] } } }'],
  ['graphql: true', 'plugins: { graphql: true }'],
  ['graphql: false\nplugins: { email: true }', 'plugins: { email: true, graphql: false }'],
  ['i18n: [fr, en]', 'plugins: { i18n: { config: { defaultLocale: fr, locales: [fr, en] } } }'],
  [
    'i18n: { locales: [en, { code: de, name: Deutsch }], default: de }',
    'plugins: { i18n: { config: { locales: [en, { code: de, name: Deutsch }], defaultLocale: de } } }',
  ],
  ['locales: [fr, en]', 'plugins: { i18n: { config: { locales: [fr, en], defaultLocale: fr } } }'],
  [
    'locales: [fr, { code: en, name: English }]\ndefaultLocale: en',
    'plugins: { i18n: { config: { locales: [fr, { code: en, name: English }], defaultLocale: en } } }',
  ],
  ['defaultLocale: de', 'plugins: { i18n: { config: { defaultLocale: de } } }'],
  [
    'plugins: { i18n: { locales: [en, fr], enabled: true } }',
    'plugins: { i18n: { enabled: true, config: { locales: [en, fr] } } }',
  ],
  [
    'plugins: { users-permissions: { jwtSecret: x, config: { jwt: { expiresIn: 1h } } } }',
    'plugins: { users-permissions: { config: { jwt: { expiresIn: 1h }, jwtSecret: x } } }',
  ],
  ['i18n: true', 'plugins: { i18n: true }'],
  ['jwtSecret: x', 'plugins: { users-permissions: { config: { jwtSecret: x } } }'],
  [
    'jwtSecret: x\nplugins: { users-permissions: true }',
    'plugins: { users-permissions: { config: { jwtSecret: x } } }',
  ],
]

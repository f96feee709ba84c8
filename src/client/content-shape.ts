// The declarations of each content-type and component. The types of queries and results are made from them.

/** A content-type or component, as `cms-run types` declares it. */
export interface ContentShape {
  /** Where entries are versions of documents, and REST answers them as `cms.entries()` does. */
  readonly dialect?: 'strapi-5'
  /** The key of an entry: an `id`, unless this says more. */
  readonly ids?: object
  /** Scalar attributes as they are answered; those that a draft may lack are nullable. */
  readonly fields: object
  /** Names of attributes that are never null once the entry is published. */
  readonly published: PropertyKey
  /** Relations, media, components and dynamic zones: answered when they are populated. */
  readonly members: object
  /** The entry as an object: `cms.entries()`. Members are optional. */
  readonly flat: object
  /** The entry as REST answers it: in `strapi-4` in an envelope. Members are optional. */
  readonly entity: object
}

/** The shape of an entry in the dialect of Strapi 5. */
export interface OfDocuments {
  readonly dialect: 'strapi-5'
}

/** A content-type: a shape, and what may be written. */
export interface ContentTypeShape extends ContentShape {
  /** The data of a published entry. */
  readonly input: object
  /** The data of a draft; never for content-types without drafts. */
  readonly draft: unknown
  /** The data of an update. */
  readonly update: object
  /** Attributes that only the server's own code may set, or change: `readOnly` and `writeOnce`. */
  readonly closed: object
  /** The generated routes; never for content-types of plugins. */
  readonly actions: PropertyKey
  /** Whether a list says how many there are, unless the query does not want it: `rest.withCount`. */
  readonly counts?: boolean
}

export interface ToOne<To extends ContentShape> {
  readonly kind: 'one'
  readonly to: To
}

export interface ToMany<To extends ContentShape> {
  readonly kind: 'many'
  readonly to: To
}

/** Several files, or a list of entries that point here: over REST null instead of an empty list. */
export interface ManyOrNull<To extends ContentShape> {
  readonly kind: 'manyOrNull'
  readonly to: To
}

/** A component; `null` in `Empty` unless it is always there. */
export interface Part<To extends ContentShape, Empty = null> {
  readonly kind: 'part'
  readonly to: To
  readonly empty: Empty
}

/** A repeatable component. */
export interface Parts<To extends ContentShape> {
  readonly kind: 'parts'
  readonly to: To
}

/** A dynamic zone; `Of` maps the uids of its components to their shapes. */
export interface Zone<Of extends object> {
  readonly kind: 'zone'
  readonly of: Of
}

/** A relation to an entry of any content-type. */
export interface AnyOne {
  readonly kind: 'anyOne'
}

export interface AnyMany {
  readonly kind: 'anyMany'
}

/** An entry of any content-type, which `__type` names. */
export interface AnyEntry extends AnyEntity {
  readonly __type: string
}

/** The same in an answer of REST: Strapi does not say the type, cms-run does. */
export interface AnyEntity {
  readonly __type?: string
  readonly id: number
  readonly [attribute: string]: unknown
}

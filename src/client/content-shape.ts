// Declares the shapes of content-types, from which the types of queries and results are made.

/** As `cms-run types` declares it. */
export interface ContentShape {
  /** Set where entries are versions of documents. */
  readonly dialect?: 'strapi-5'
  /** The key of an entry; by default an `id`. */
  readonly ids?: object
  /** Scalar attributes of responses; those that a draft may lack are nullable. */
  readonly fields: object
  /** Names of attributes that are never null once the entry is published. */
  readonly published: PropertyKey
  /** Relations, media, components and dynamic zones: in responses only when they are populated. */
  readonly members: object
  /** The entry in `cms.entries()`. Populated fields are optional. */
  readonly flat: object
  /** The entry over REST: in `strapi-4` in an envelope. Populated fields are optional. */
  readonly entity: object
}

/** For Strapi 5. */
export interface OfDocuments {
  readonly dialect: 'strapi-5'
}

/** A shape, and the data that may be written. */
export interface ContentTypeShape extends ContentShape {
  readonly input: object
  readonly draft: unknown
  readonly update: object
  /** Attributes that only the server's own code may set or change: `readOnly` and `writeOnce`. */
  readonly closed: object
  /** The generated routes; never for content-types of plugins. */
  readonly actions: PropertyKey
  /** Whether a list has a total by default: `rest.withCount`. */
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

/** Files, or entries of an inverse relation: over REST null instead of an empty list. */
export interface ManyOrNull<To extends ContentShape> {
  readonly kind: 'manyOrNull'
  readonly to: To
}

/** A component; `null` in `Empty` unless it is required. */
export interface ComponentField<To extends ContentShape, Empty = null> {
  readonly kind: 'part'
  readonly to: To
  readonly empty: Empty
}

export interface ComponentList<To extends ContentShape> {
  readonly kind: 'parts'
  readonly to: To
}

/** `Of` maps the uids of the components to their shapes. */
export interface Zone<Of extends object> {
  readonly kind: 'zone'
  readonly of: Of
}

export interface AnyOne {
  readonly kind: 'anyOne'
}

export interface AnyMany {
  readonly kind: 'anyMany'
}

export interface AnyEntry extends AnyEntity {
  readonly __type: string
}

/** Over REST: Strapi omits the type, cms-run adds it. */
export interface AnyEntity {
  readonly __type?: string
  readonly id: number
  readonly [attribute: string]: unknown
}

// The holders of attributes. They are declared beside the attributes, because each holds the other.

export type { AttributeHolder, Component, ContentType, ContentTypeRest } from './attribute.ts'

// The types of content-types and components. They are declared in attribute.ts, because they and attributes refer to
// each other.

export type {
  AttributeSet,
  Component,
  ContentType,
  ContentTypeRest,
  DocumentAttributes,
  EntryCheck,
  Schema,
} from './attribute.ts'

// Exports types that attribute.ts declares, because they and attributes refer to each other.

export type {
  AttributeSet,
  Component,
  ContentType,
  ContentTypeRest,
  DocumentAttributes,
  EntryCheck,
  Schema,
} from './attribute.ts'

// The contract of a shorthand: a step that rewrites the forms it recognizes into Strapi's, and leaves the rest alone.

import type { Expansion } from './expansion.ts'

/**
 * Recognizes one natural form and rewrites it. Of values that it does not recognize it changes nothing and says nothing:
 * the checks that follow do, in the words of the full form. On a file in the full form it does nothing.
 */
export type Shorthand = (expansion: Expansion) => void

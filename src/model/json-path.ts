// Paths inside JSON attributes, and their limits.

/** Names, and positions in lists as digits. */
export type JsonPath = readonly string[]

export const MAX_PATH_NAMES = 10

/** Without quotes and backslashes, which would need escapes in the path of a database. */
export const JSON_NAME = /^[^"\\\p{Cc}]{1,100}$/u

// The names of content-types as URLs and uids spell them.

/** `TicketType` and `ticket_type` -> `ticket-type`. */
export function toKebabCase(name: string): string {
  if (/^[a-z0-9-]*$/.test(name)) return name
  const words = name.match(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/g) ?? [name]
  return words.map((word) => word.toLowerCase()).join('-')
}

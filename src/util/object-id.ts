// A number for an object, for as long as it lives: objects in keys that are texts.

const ids = new WeakMap<object, number>()
let last = 0

export function objectId(object: object): number {
  let id = ids.get(object)
  if (id === undefined) {
    last += 1
    id = last
    ids.set(object, id)
  }
  return id
}

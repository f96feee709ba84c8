// A middleware that does nothing.
export default () => (_context: unknown, next: () => unknown) => next()

// What `use()` takes.
export default () => ({ typeDefs: 'type Query { nothing: Boolean }' })

// What a route answers.
export default () => ({ status: 204 })

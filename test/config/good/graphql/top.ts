// Resolvers that the configurations beside it name.
export default { Query: { topRestaurants: { resolve: () => [] } } }

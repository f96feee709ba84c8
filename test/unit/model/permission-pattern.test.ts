import { describe, expect, test } from 'vitest'
import { expandPermission, suggestPermission } from '../../../src/model/permission-pattern.ts'

const actions = new Set([
  'api::restaurant.restaurant.find',
  'api::restaurant.restaurant.findOne',
  'api::restaurant.restaurant.update',
  'api::category.category.find',
  'api::category.category.update',
  'api::blog.post.find',
  'api::blog.page.find',
  'api::site.page.find',
  'plugin::upload.content-api.find',
  'plugin::upload.content-api.upload',
  'plugin::users-permissions.user.me',
])

const restaurant = [...actions].slice(0, 3)

describe('expandPermission', () => {
  for (const [pattern, expected] of [
    ['api::restaurant.restaurant.find', ['api::restaurant.restaurant.find']],
    ['restaurant.find', ['api::restaurant.restaurant.find']],
    ['restaurant.*', restaurant],
    ['api::restaurant.restaurant.*', restaurant],
    ['api::restaurant.*', restaurant],
    ['api::restaurant.*.*', restaurant],
    ['api::*.restaurant.*', restaurant],
    ['api::*.update', ['api::restaurant.restaurant.update', 'api::category.category.update']],
    ['api::*.*.update', ['api::restaurant.restaurant.update', 'api::category.category.update']],
    ['*.update', ['api::restaurant.restaurant.update', 'api::category.category.update']],
    ['*.*', [...actions].filter((action) => action.startsWith('api::'))],
    ['api::*', [...actions].filter((action) => action.startsWith('api::'))],
    ['plugin::upload.*', ['plugin::upload.content-api.find', 'plugin::upload.content-api.upload']],
    ['plugin::*.find', ['plugin::upload.content-api.find']],
    ['plugin::users-permissions.user.me', ['plugin::users-permissions.user.me']],
    // A short name is api::<name>.<name>, else the only content-type that ends so.
    ['post.find', ['api::blog.post.find']],
    ['page.find', []],
    // A star is a whole segment.
    ['restaurant.find*', []],
    ['api::rest*.restaurant.find', []],
    ['*', []],
    ['*::restaurant.restaurant.find', []],
    ['', []],
    ['restaurant.read', ['api::restaurant.restaurant.find', 'api::restaurant.restaurant.findOne']],
    ['restaurant', ['api::restaurant.restaurant.find', 'api::restaurant.restaurant.findOne']],
    ['api::blog.post', ['api::blog.post.find']],
    ['plugin::users-permissions.user', []],
    ['restaurants', []],
    ['api::', []],
    ['restaurant.find.find', []],
    // In camelCase, and a plugin by its name.
    ['Restaurant.find', ['api::restaurant.restaurant.find']],
    ['upload', ['plugin::upload.content-api.upload']],
    ['upload.upload', ['plugin::upload.content-api.upload']],
    ['upload.find', ['plugin::upload.content-api.find']],
    ['upload.*', ['plugin::upload.content-api.find', 'plugin::upload.content-api.upload']],
    ['upload.delete', []],
    ['users-permissions', []],
    ['api::restaurant.restaurant.find.*', []],
  ] as const) {
    test(`"${pattern}" is ${expected.length} of ${actions.size}`, () => {
      expect(expandPermission(pattern, actions)).toEqual(expected)
    })
  }
})

describe('suggestPermission', () => {
  for (const [pattern, expected] of [
    ['restaurant.fnid', 'did you mean "restaurant.find"?'],
    ['resturant.find', 'did you mean "restaurant.find"?'],
    ['resturant.*', 'did you mean "restaurant.*"?'],
    ['restaurants.findOne', 'did you mean "restaurant.findOne"?'],
    ['api::restaurant.restaurant.updte', 'did you mean "api::restaurant.restaurant.update"?'],
    ['api::resturant.resturant.find', 'did you mean "api::restaurant.restaurant.find"?'],
    ['restaurant.publish', 'actions of "restaurant": find, findOne, update'],
    ['plugin::upload.content-api.uplaod', 'did you mean "plugin::upload.content-api.upload"?'],
    ['restaurnat', 'did you mean "restaurant"?'],
    ['zzzzzzzz', 'write "<content-type>.<action>"'],
    ['zzzzzzzz.find', 'one of "restaurant", "category", "post", "page"'],
    ['page.find', '"page" may be any of api::blog.page and api::site.page: write the full id'],
    ['api::*.*.publish', 'actions: find, findOne, update'],
    ['plugin::graphql.*', 'the plugin "graphql" is switched off or has no actions'],
    ['api::*.*.udpate', 'did you mean "api::*.*.update"?'],
    ['restaurant.find*', '"*" stands for a whole segment, as in "restaurant.*"'],
    ['*', 'a permission names a content-type and an action: write "api::*.*.*" for all of them'],
  ] as const) {
    test(`"${pattern}"`, () => expect(suggestPermission(pattern, actions)).toBe(expected))
  }
})

import { describe, expect, test } from 'vitest'
import {
  getPlacesTableName,
  linkTableName,
  nameOfComponent,
  nameOfType,
  toCamelCase,
  toPascalCase,
  toSnakeCase,
} from '../../../src/model/naming.ts'
import type { Uid } from '../../../src/model/uid.ts'
import {
  getEnumName,
  getEnumValue,
  getQueryNames,
  getZoneName,
  listMutationNames,
} from '../../../src/plugins/graphql/graphql-names.ts'

describe('words', () => {
  for (const [name, snake, pascal, camel] of [
    ['title', 'title', 'Title', 'title'],
    ['spiceLevel', 'spice_level', 'SpiceLevel', 'spiceLevel'],
    ['spice_level', 'spice_level', 'SpiceLevel', 'spiceLevel'],
    ['daily-special', 'daily_special', 'DailySpecial', 'dailySpecial'],
    ['line2', 'line_2', 'Line2', 'line2'],
    ['h1-title', 'h_1_title', 'H1Title', 'h1Title'],
    ['page2d', 'page_2_d', 'Page2D', 'page2D'],
    ['HTMLBody', 'html_body', 'HtmlBody', 'htmlBody'],
    ['seoURL', 'seo_url', 'SeoUrl', 'seoUrl'],
    ['aB', 'a_b', 'AB', 'aB'],
    ['shared.opening-hour', 'shared_opening_hour', 'SharedOpeningHour', 'sharedOpeningHour'],
    ['', '', '', ''],
  ] as const) {
    test(`"${name}"`, () => {
      expect([toSnakeCase(name), toPascalCase(name), toCamelCase(name)]).toEqual([snake, pascal, camel])
    })
  }
})

describe('GraphQL', () => {
  const typeOf = (uid: string, singularName: string, pluralName: string) => ({
    uid: uid as Uid,
    singularName,
    pluralName,
    kind: 'collectionType' as const,
    localized: false,
  })
  const special = typeOf('api::daily-special.daily-special', 'daily-special', 'daily-specials')
  const user = typeOf('plugin::users-permissions.user', 'user', 'users')
  const home = { ...typeOf('api::homepage.homepage', 'homepage', 'homepages'), kind: 'singleType' as const }

  test('types', () => {
    expect([special, user, home].map(nameOfType)).toEqual([
      'DailySpecial',
      'UsersPermissionsUser',
      'Homepage',
    ])
    expect(nameOfComponent({ uid: 'shared.opening-hour' })).toBe('ComponentSharedOpeningHour')
    expect(getZoneName('Page', 'main_body')).toBe('PageMainBodyDynamicZone')
    expect(getEnumName('KitchenSink', 'a_enum')).toBe('ENUM_KITCHENSINK_A_ENUM')
  })

  test('root fields', () => {
    expect(getQueryNames(special)).toEqual({ one: 'dailySpecial', many: 'dailySpecials' })
    expect(getQueryNames(user)).toEqual({ one: 'usersPermissionsUser', many: 'usersPermissionsUsers' })
    expect(getQueryNames(home)).toEqual({ one: 'homepage', many: undefined })
    expect(listMutationNames({ ...special, localized: true })).toEqual([
      'createDailySpecial',
      'updateDailySpecial',
      'deleteDailySpecial',
      'createDailySpecialLocalization',
    ])
    expect(listMutationNames(home)).toEqual(['updateHomepage', 'deleteHomepage'])
  })

  for (const [value, expected] of [
    ['news', 'news'],
    ['how-to', 'how_to'],
    ['Long Read', 'Long_Read'],
    ['été', 'ete'],
    ['straße', 'strasse'],
    ['Øl & Æbler', 'Ol_AEbler'],
    ['  spaced  ', 'spaced'],
    ['1st', '_1st'],
    ['привет', ''],
  ] as const) {
    test(`enum value "${value}"`, () => expect(getEnumValue(value)).toBe(expected))
  }
})

describe('tables', () => {
  test('of relations and of places', () => {
    expect(linkTableName('articles', 'relatedTo')).toBe('articles_related_to_links')
    expect(getPlacesTableName('articles')).toBe('articles_components')
  })

  test('stay within 63 bytes and apart from each other', () => {
    const long = 'a'.repeat(80)
    const names = [linkTableName(long, 'one'), linkTableName(long, 'two'), getPlacesTableName(long)]
    expect(names.every((name) => name.length <= 63)).toBe(true)
    expect(new Set(names).size).toBe(3)
  })
})

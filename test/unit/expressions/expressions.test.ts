// The language of expressions: what is refused and where, what a checked expression is worth.

import { beforeAll, describe, expect, test } from 'vitest'
import { checkExpression } from '../../../src/expressions/check-expression.ts'
import { evaluateExpression } from '../../../src/expressions/evaluate-expression.ts'
import type { Scope, Shape, Type } from '../../../src/expressions/expression.ts'
import { loadExpressionParser } from '../../../src/expressions/load-parser.ts'

const shape = (name: string, members: () => Readonly<Record<string, Type | string>>): Shape => ({
  name,
  member: (one) => (Object.hasOwn(members(), one) ? members()[one] : undefined),
  get names() {
    return Object.keys(members())
  },
})
const person: Shape = shape('person', () => ({
  id: { kind: 'int' },
  name: { kind: 'text' },
  boss: { kind: 'entry', shape: person },
  friends: { kind: 'entries', shape: person },
}))
const order: Shape = shape('order', () => ({
  id: { kind: 'int' },
  total: { kind: 'number' },
  count: { kind: 'int' },
  status: { kind: 'text', values: ['open', 'sent'] },
  note: { kind: 'text' },
  paid: { kind: 'bool' },
  at: { kind: 'moment' },
  day: { kind: 'date' },
  role: { kind: 'text' },
  user: { kind: 'entry', shape: person },
  members: { kind: 'entries', shape: person },
  secret: '"secret" is a password, which expressions cannot use',
}))
const scope: Scope = {
  entry: order,
  variables: new Map<string, Type>([
    ['me', { kind: 'entry', shape: person }],
    ['role', { kind: 'text' }],
    ['now', { kind: 'moment' }],
  ]),
}

beforeAll(loadExpressionParser)

/** The expression with the faulty part between brackets, and what is said about it. */
function faultOf(text: string): string {
  const checked = checkExpression(text, scope, 'bool')
  if (checked.ok) return 'accepted'
  const { range, message, help } = checked.fault
  const marked = `${text.slice(0, range[0])}[${text.slice(...range)}]${text.slice(range[1])}`
  return [marked, message, ...(help === undefined ? [] : [help])].join(' | ')
}

describe('refused, at its characters', () => {
  test.each([
    ['usr == me', '[usr] == me | order has no attribute "usr" | did you mean "user"?'],
    ['user.nmae == "x"', '[user.nmae] == "x" | person has no attribute "nmae" | did you mean "name"?'],
    ['status == "opne"', 'status == ["opne"] | "opne" is none of its values | did you mean "open"?'],
    ['total', '[total] | this must be true or false, and it is a number'],
    ['total > "5"', 'total > ["5"] | a number is never compared with a text'],
    [
      'user == 5',
      'user == [5] | an entry of person is never compared with a whole number | compare the entry with me, with another entry, or its id with a number',
    ],
    [
      'members.name == "x"',
      '[members.name] == "x" | "members" leads to several entries, so it has no one "name" | write members.exists(one, one.name …)',
    ],
    ['secret == "x"', '[secret] == "x" | "secret" is a password, which expressions cannot use'],
    [
      'role == "x"',
      '[role] == "x" | "role" is an attribute of order, and also a word of the language | write "this.role" for the attribute',
    ],
    ['day == "2024-13-01"', 'day == ["2024-13-01"] | this is not a date'],
    ['at > duration("x")', 'at > duration(["x"]) | write a duration such as "36h", "7d" or "1h30m"'],
    ['paid > true', '[paid > true] | ">" does not compare a boolean'],
    ['total % 2 == 0', '[total % 2] == 0 | "%" is not part of the language of expressions'],
    [
      'matches(note)',
      '[matches(note)] | there is no function "matches" | functions: size, has, contains, startsWith, endsWith, exists, timestamp, duration',
    ],
    ['me in user', 'me in [user] | "in" needs a list, and this is an entry of person'],
    ['status in ["open", "x"]', 'status in ["open", ["x"]] | "x" is none of its values | one of open, sent'],
    ['total ==', 'total =[=] | unexpected end'],
    ['a[0] == 1', '[a[0]] == 1 | "[]" is not part of the language of expressions'],
    ['{"a": 1} == 1', '[{"a": 1}] == 1 | "map" is not part of the language of expressions'],
    [
      'paid ? 1 : "x"',
      'paid ? 1 : ["x"] | both values of "? :" must be of one type: a whole number and a text',
    ],
    [
      'total * total * total * total * total * total * total * total * total * total > 1',
      '[total * total * total * total * total * total * total * total * total * total > 1] | at most 8 multiplications and divisions are allowed',
    ],
  ])('%s', (text, expected) => {
    expect(faultOf(text)).toBe(expected)
  })
})

const ann = {
  id: 1,
  name: 'ann',
  boss: { id: 2, name: 'bob', boss: null, friends: [] },
  friends: [{ id: 2 }],
}
const entry = {
  id: 9,
  total: 12.5,
  count: 7,
  status: 'open',
  note: null,
  paid: true,
  at: '2024-03-01T00:00:00.000Z',
  day: '2024-03-01',
  role: 'guest',
  user: { id: 1, name: 'ann', boss: { id: 2 } },
  members: [
    { id: 1, name: 'ann' },
    { id: 3, name: 'cem' },
  ],
}
const variables = { me: ann, role: 'authenticated', now: Date.UTC(2024, 2, 2) }

describe('worth', () => {
  test.each([
    ['user == me', true],
    ['user != me', false],
    ['me in members', true],
    ['me.boss in members', false],
    ['user.boss == me.boss', true],
    ['user.boss.boss == me', null],
    ['note == null', true],
    ['note != "x"', null],
    ['!(note == "x")', null],
    ['note == "x" || paid', true],
    ['note == "x" && !paid', false],
    ['has(note)', false],
    ['count / 2', 3],
    ['-count / 2', -3],
    ['count / 2.0', 3.5],
    ['count / 0', null],
    ['total + 1', 13.5],
    ['"a" + status', 'aopen'],
    ['note + "a"', null],
    ['size(status)', 4],
    ['size(members)', 2],
    ['at > now - duration("2d")', true],
    ['at > now - duration("12h")', false],
    ['at == "2024-03-01"', true],
    ['day < "2024-03-02"', true],
    ['status in ["open"]', true],
    ['note in ["open"]', null],
    ['members.exists(m, m.name == "cem")', true],
    ['members.exists(m, m.name.startsWith("x"))', false],
    ['!members.exists(m, m == me)', false],
    ['status.contains("pe") && status.endsWith("n")', true],
    ['paid ? total : null', 12.5],
    ['has(note) ? note : status', 'open'],
    ['this.role == "guest"', true],
    ['user', 1],
  ])('%s', (text, expected) => {
    const checked = checkExpression(text, scope)
    expect(checked.ok ? evaluateExpression(checked.expression, { entry, variables }) : checked.fault).toEqual(
      expected,
    )
  })

  test('nobody is the user of an entry without a user', () => {
    const checked = checkExpression('user == me', scope)
    if (!checked.ok) throw new Error('not accepted')
    expect(evaluateExpression(checked.expression, { entry: { user: null }, variables: { me: null } })).toBe(
      null,
    )
  })
})

// The layout of the model's diagram: where lines begin and end, that they cross no box, and that the drawing holds them.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Box,
  HEAD,
  type Line,
  listPointsAlong,
  ROW,
} from '../../../src/console/browser/model/drawing.ts'
import { type Layout, layOut } from '../../../src/console/browser/model/lay-out.ts'
import type { Attribute, Component, Model, Type } from '../../../src/console/described.ts'

const MARGIN = 20

function buildType(name: string, attributes: readonly Attribute[]): Type {
  return {
    ...{ uid: name, own: true, kind: 'collectionType', name, plural: `${name}s`, displayName: name },
    ...{
      graphqlName: name,
      graphqlOne: name,
      graphqlMany: name,
      draftAndPublish: false,
      needsVersion: false,
    },
    ...{ actions: [], may: [], checks: [], unique: [], attributes },
    look: { title: undefined, list: [], groups: [], preview: undefined },
  }
}

function buildModel(types: readonly Type[], components: readonly Component[] = []): Model {
  return { dialect: 'strapi-5', prefix: '/api', graphiql: false, uploads: false, types, components }
}

function buildText(name: string): Attribute {
  return { name, label: name, kind: 'scalar', type: 'string' }
}

function buildRelation(name: string, target: string, relation = 'manyToOne', inverse?: string): Attribute {
  const many = relation.endsWith('ToMany')
  return {
    name,
    label: name,
    kind: 'relation',
    type: 'relation',
    relation,
    many,
    target,
    inverse,
    owner: true,
  }
}

const relation = fc.constantFrom('oneToOne', 'manyToOne', 'oneToMany', 'manyToMany')
const anyModel = fc
  .array(
    fc.record({
      texts: fc.nat(8),
      links: fc.array(fc.tuple(fc.nat(30), relation, fc.boolean()), { maxLength: 4 }),
      parts: fc.array(fc.nat(2), { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 14 },
  )
  .map((plans) => {
    const attributes = plans.map(({ texts }) =>
      Array.from({ length: texts }, (_, at) => buildText(`text${at}`)),
    )
    for (const [from, { links, parts }] of plans.entries()) {
      for (const [at, [target, kind, isTwoWay]] of links.entries()) {
        const to = target % plans.length
        const [name, inverse] = [`to${at}`, `from${from}by${at}`]
        attributes[from]?.push(buildRelation(name, `type${to}`, kind, isTwoWay ? inverse : undefined))
        if (isTwoWay) attributes[to]?.push({ ...buildRelation(inverse, `type${from}`), owner: false })
      }
      if (parts.length > 0)
        attributes[from]?.push({
          ...{ name: 'zone', label: 'Zone', kind: 'dynamiczone', type: 'dynamiczone' },
          components: [...new Set(parts)].map((part) => `part${part}`),
        })
    }
    const components = [0, 1, 2].map((part) => ({
      ...{ uid: `part${part}`, displayName: `Part ${part}`, graphqlName: `Part${part}` },
      attributes: [buildText('text')],
    }))
    return buildModel(
      attributes.map((own, at) => buildType(`type${at}`, own)),
      components,
    )
  })

const all = { plugins: false, components: true, aspect: 1.7 }

function getBox({ boxes }: Layout, uid: string): Box {
  const box = boxes.find(({ schema }) => schema.uid === uid)
  if (box === undefined) throw new Error(`no box ${uid}`)
  return box
}

function isAtSide({ x, width }: Box, point: { readonly x: number } | undefined): boolean {
  return [x, x + width].some((side) => Math.abs(side - (point?.x ?? Number.NaN)) < 0.01)
}

/** The attribute at a height of the box; undefined: its header. */
function getRow({ y, schema }: Box, point: { readonly y: number } | undefined): string | undefined {
  const below = (point?.y ?? Number.NaN) - y
  expect(below).toBeGreaterThanOrEqual(0)
  return below <= HEAD ? undefined : schema.attributes[Math.floor((below - HEAD) / ROW)]?.name
}

function listCrossed({ boxes }: Layout, { curve }: Line): readonly string[] {
  const points = listPointsAlong(curve)
  return boxes
    .filter(({ x, y, width, height }) =>
      points.some(
        (at) => at.x > x + 0.5 && at.x < x + width - 0.5 && at.y > y + 0.5 && at.y < y + height - 0.5,
      ),
    )
    .map(({ schema }) => schema.uid)
}

test('a line begins at its attribute, ends at the other side of the relation, and crosses no box', () => {
  fc.assert(
    fc.property(anyModel, (model) => {
      const layout = layOut(model, all)
      for (const line of layout.lines) {
        const [from, to] = [getBox(layout, line.from), getBox(layout, line.to)]
        const [first, last] = [line.curve[0], line.curve.at(-1)]
        expect([isAtSide(from, first), isAtSide(to, last)]).toEqual([true, true])
        const name = getRow(from, first)
        const attribute = from.schema.attributes.find((one) => one.name === name)
        expect(attribute?.target ?? attribute?.components?.find((uid) => uid === line.to)).toBe(line.to)
        expect(getRow(to, last)).toBe(attribute?.inverse)
        expect(listCrossed(layout, line)).toEqual([])
      }
    }),
    { numRuns: 25 },
  )
})

test('boxes do not overlap, and the drawing has the same margin at every side', () => {
  fc.assert(
    fc.property(anyModel, (model) => {
      const { boxes, lines, width, height } = layOut(model, all)
      for (const [index, a] of boxes.entries())
        for (const b of boxes.slice(index + 1))
          expect(
            a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height,
          ).toBe(false)
      const points = [
        ...boxes.flatMap(({ x, y, width, height }) => [
          { x, y },
          { x: x + width, y: y + height },
        ]),
        ...lines.flatMap(({ curve }) => listPointsAlong(curve)),
      ]
      const xs = points.map(({ x }) => x)
      const ys = points.map(({ y }) => y)
      const bounds = [Math.min(...xs), Math.min(...ys), width - Math.max(...xs), height - Math.max(...ys)]
      for (const side of bounds) expect(side).toBeCloseTo(MARGIN, 3)
    }),
    { numRuns: 25 },
  )
})

test('a relation to the own content-type is a loop beside its box', () => {
  const chef = buildType('chef', [
    buildText('name'),
    buildRelation('mentor', 'chef', 'manyToOne', 'pupils'),
    { ...buildRelation('pupils', 'chef', 'oneToMany', 'mentor'), owner: false },
  ])
  const layout = layOut(buildModel([chef, buildType('dish', [buildRelation('cook', 'chef')])]), all)
  const box = getBox(layout, 'chef')
  const loop = layout.lines.find(({ from, to }) => from === to)
  expect([getRow(box, loop?.curve[0]), getRow(box, loop?.curve.at(-1))]).toEqual(['mentor', 'pupils'])
  const { y, height, x, width } = box
  for (const point of listPointsAlong(loop?.curve ?? [])) {
    expect(point.x).toBeGreaterThanOrEqual(x + width)
    expect(point.y > y && point.y < y + height).toBe(true)
  }
  expect(loop?.marks.map(({ text }) => text)).toEqual(['n', '1'])
})

test('content-types without relations stand beside each other, not in one long column', () => {
  const types = Array.from({ length: 12 }, (_, at) =>
    buildType(`type${at}`, [buildText('a'), buildText('b')]),
  )
  const { width, height } = layOut(buildModel(types), all)
  expect(width / height).toBeGreaterThan(1.2)
  expect(width / height).toBeLessThan(2.6)
})

// Small Strapi projects in temporary folders, imported by the command.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { parse } from 'yaml'
import { newFolder } from '../archive/in-file.ts'
import { runCommand } from '../support/run-command.ts'

type Files = Readonly<Record<string, string>>

export const order = {
  kind: 'collectionType',
  collectionName: 'orders',
  info: { singularName: 'order', pluralName: 'orders', displayName: 'Order' },
  options: { draftAndPublish: false },
  attributes: { title: { type: 'string' }, total: { type: 'integer' } },
}

/** A content-type with Strapi's own routes, and no role. */
export const ORDERS: Files = {
  'package.json': JSON.stringify({ dependencies: { '@strapi/strapi': '4.25.0' } }),
  'src/api/order/content-types/order/schema.json': JSON.stringify(order),
  'src/api/order/routes/order.js':
    "module.exports = require('@strapi/strapi').factories.createCoreRouter('api::order.order')",
}

/** As strapi-plugin-config-sync writes the role of everybody: actions of orders, and others. */
export function listRoles(ofOrders: readonly string[], others: readonly string[] = []): string {
  const actions = [...ofOrders.map((action) => `api::order.order.${action}`), ...others]
  const permissions = actions.map((action) => ({ action }))
  return JSON.stringify({ name: 'Public', description: '', type: 'public', permissions })
}

export function writeProject(files: Files, project = newFolder()): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true })
    writeFileSync(join(project, name), text)
  }
  return project
}

export async function importProject(files: Files) {
  const project = writeProject(files)
  const file = join(project, 'cms.yaml')
  const { code, err } = await runCommand(['import', '--strapi', '.', '--into', file], { cwd: project })
  expect(code, err).toBe(0)
  return { project, file, err, written: parse(readFileSync(file, 'utf8')) }
}

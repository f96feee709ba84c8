// A few kills and a few seconds of fifty writers; by hand it is two hundred and a minute.

import { describe, expect, test } from 'vitest'
import { mysqlHere } from '../support/mysql.ts'
import { postgresHere } from '../support/postgres.ts'
import { killAgainAndAgain } from './kill.ts'
import { killWhileListening } from './kill-events.ts'
import type { LastingClient } from './served.ts'
import { writeTogether } from './writers.ts'

const clients: LastingClient[] = ['sqlite']
if ((await postgresHere()) !== undefined) clients.push('postgres')
if ((await mysqlHere()) !== undefined) clients.push('mysql')

describe.each(clients)('%s', (client) => {
  test('killed at any moment, it keeps what it acknowledged, and nothing half', async () => {
    const { lost, halfWritten, damages, acknowledged } = await killAgainAndAgain(client, 4)
    expect({ lost, halfWritten, damages }).toEqual({ lost: [], halfWritten: [], damages: [] })
    expect(acknowledged).toBeGreaterThan(4)
  })

  test('killed while others listen, every change is told once and in order, and delivered', async () => {
    const { kills: _, acknowledged, told, delivered, ...faults } = await killWhileListening(client, 2)
    expect(faults).toEqual({ lost: [], twice: [], disordered: [], uncommitted: [] })
    expect(Math.min(acknowledged, told, delivered)).toBeGreaterThan(10)
  })

  test('fifty writers at once lose nothing and are never refused', async () => {
    const { lost, refused, creates } = await writeTogether(client, 4)
    expect({ lost, refused }).toEqual({ lost: [], refused: {} })
    expect(creates).toBeGreaterThan(50)
  })
})

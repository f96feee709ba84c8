// A few kills and a few seconds of fifty writers; by hand it is two hundred and a minute.

import { describe, expect, test } from 'vitest'
import { postgresHere } from '../support/postgres.ts'
import { killAgainAndAgain } from './kill.ts'
import { writeTogether } from './writers.ts'

const here = await postgresHere()

describe.skipIf(here === undefined)('postgres', () => {
  test('killed at any moment, it keeps what it acknowledged, and nothing half', async () => {
    const { lost, halfWritten, acknowledged } = await killAgainAndAgain('postgres', 4)
    expect({ lost, halfWritten }).toEqual({ lost: [], halfWritten: [] })
    expect(acknowledged).toBeGreaterThan(4)
  })

  test('fifty writers at once lose nothing and are never refused', async () => {
    const { lost, refused, creates } = await writeTogether('postgres', 4)
    expect({ lost, refused }).toEqual({ lost: [], refused: {} })
    expect(creates).toBeGreaterThan(50)
  })
})

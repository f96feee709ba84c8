import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createCms } from 'cms-run'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { Articles } from './articles.jsx'

let cms
let before

beforeAll(async () => {
  cms = await createCms('cms.yaml', { env: {}, testing: true })
  before = cms.snapshot()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  cms.restore(before)
})
afterAll(() => cms.close())

const titles = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent)

test('shows what is published, most read first', async () => {
  vi.stubGlobal('fetch', cms.fetch)
  render(<Articles />)
  await screen.findByText('Hello')
  expect(titles()).toEqual(['Hello', 'World'])
})

test('somebody who is logged in adds an article', async () => {
  vi.stubGlobal('fetch', cms.as('ann'))
  render(<Articles />)
  await screen.findByText('Hello')
  fireEvent.change(screen.getByLabelText('Title'), { target: { value: 'New' } })
  fireEvent.click(screen.getByText('Add'))
  await screen.findByText('New')
  expect(await cms.entries('article').count()).toBe(4)
})

test('others are told that they may not', async () => {
  vi.stubGlobal('fetch', cms.fetch)
  render(<Articles />)
  await screen.findByText('Hello')
  fireEvent.change(screen.getByLabelText('Title'), { target: { value: 'New' } })
  fireEvent.click(screen.getByText('Add'))
  expect((await screen.findByRole('alert')).textContent).toBe('Forbidden')
  expect(titles()).toEqual(['Hello', 'World'])
})

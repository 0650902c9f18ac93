import { QueryClient } from '@tanstack/react-query'
import { createStore, get, set } from 'idb-keyval'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { persistReads, wipePersistedReads } from './persisted-reads.ts'

let stops: (() => void)[] = []
beforeEach(wipePersistedReads)
afterEach(() => {
  for (const stop of stops) stop()
  stops = []
})

/** A phone that has been opened (again) by `owner`. */
function open(owner: string) {
  const client = new QueryClient()
  stops.push(persistReads(client, owner))
  return client
}
const box = createStore('evac-reads', 'reads')
const stored = async () => JSON.stringify((await get('reads', box)) ?? null)

async function keepAndReload(client: QueryClient) {
  client.setQueryData(['floor'], 'Level 3')
  await expect.poll(stored, { timeout: 4000 }).toContain('Level 3')
}

test('UI what was read is there again after a reload, for the same person only', async () => {
  await keepAndReload(open('grace'))

  const again = open('grace')
  await expect.poll(() => again.getQueryData(['floor'])).toBe('Level 3')

  const other = open('oliver')
  await expect.poll(stored).toBe('null')
  expect(other.getQueryData(['floor'])).toBeUndefined()
})

test('AMB-153 health data is not kept: a private query stays in memory, a redacted one loses its private parts', async () => {
  const client = open('grace')
  client
    .getQueryCache()
    .build(client, { queryKey: ['peep'], meta: { private: true } })
    .setData('wheelchair')
  const redact = (people: { name: string; peep: string }[]) => people.map(({ name }) => ({ name }))
  client
    .getQueryCache()
    .build(client, { queryKey: ['people'], meta: { redact } })
    .setData([{ name: 'Amelia', peep: 'wheelchair' }])

  await keepAndReload(client)

  expect(await stored()).toContain('Amelia')
  expect(await stored()).not.toContain('wheelchair')
})

test('AMB-154 a failed refresh does not cost the last good answer', async () => {
  const client = open('grace')
  client.setQueryData(['floor'], 'Level 3')
  await client
    .fetchQuery({ queryKey: ['floor'], queryFn: () => Promise.reject(new Error('away')), retry: false })
    .catch(() => undefined)
  expect(client.getQueryState(['floor'])?.status).toBe('error')

  await keepAndReload(client)

  const again = open('grace')
  await expect.poll(() => again.getQueryState(['floor'])?.status).toBe('success')
})

test('LIST-35 what comes back after a reload is shown, and asked for again at once, however young it is', async () => {
  await keepAndReload(open('grace'))

  const again = open('grace')
  await expect.poll(() => again.getQueryData(['floor'])).toBe('Level 3')

  const staleTime = Number.POSITIVE_INFINITY
  const asked = again.fetchQuery({ queryKey: ['floor'], queryFn: () => Promise.resolve('Level 4'), staleTime })
  expect(await asked).toBe('Level 4')
})

test('SESSION-17 after a wipe nothing is left, not even what was waiting to be written', async () => {
  const client = open('grace')
  await keepAndReload(client)
  client.setQueryData(['floor'], 'Level 4')

  await wipePersistedReads()
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  document.dispatchEvent(new Event('visibilitychange'))
  // A write that was still under way would have landed behind this one.
  await set('after', 'done', box)

  expect(await stored()).toBe('null')
})

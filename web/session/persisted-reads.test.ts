import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { createStore, get, set } from 'idb-keyval'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { SignInUid } from '#kernel/ids.ts'
import { storedAuth } from '../testing/stored-auth.ts'
import { eventFlags } from './event-flags.ts'
import { persistReads, wipePersistedReads } from './persisted-reads.ts'
import { setAuth, updateAuth } from './stored-auth.ts'

let stops: (() => void)[] = []
beforeEach(wipePersistedReads)
afterEach(() => {
  for (const stop of stops) stop()
  stops = []
})

/** A phone on which `owner` opens the app (again). */
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

test('UI reads are restored after a reload, for the same person only', async () => {
  await keepAndReload(open('grace'))

  const again = open('grace')
  await expect.poll(() => again.getQueryData(['floor'])).toBe('Level 3')

  const other = open('oliver')
  await expect.poll(stored).toBe('null')
  expect(other.getQueryData(['floor'])).toBeUndefined()
})

test('AMB-153 health data is not stored: a private query stays in memory, a redacted one loses its private parts', async () => {
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

test('AMB-154 a failed refresh keeps the last good answer', async () => {
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

test('LIST-35 restored reads are shown and refetched at once, however recent they are', async () => {
  await keepAndReload(open('grace'))

  const again = open('grace')
  await expect.poll(() => again.getQueryData(['floor'])).toBe('Level 3')

  const staleTime = Number.POSITIVE_INFINITY
  const asked = again.fetchQuery({ queryKey: ['floor'], queryFn: () => Promise.resolve('Level 4'), staleTime })
  expect(await asked).toBe('Level 4')
})

test('SESSION-17 a wipe removes everything, including pending writes', async () => {
  const client = open('grace')
  await keepAndReload(client)
  client.setQueryData(['floor'], 'Level 4')

  await wipePersistedReads()
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  document.dispatchEvent(new Event('visibilitychange'))
  // A write that was still in progress would have landed behind this one.
  await set('after', 'done', box)

  expect(await stored()).toBe('null')
})

const drill = 'sign-in-of-the-drill' as SignInUid
const fire = 'sign-in-of-the-fire' as SignInUid
const signedIn = (WardenSignInUID: SignInUid | null) => setAuth(storedAuth({ WardenSignInUID }))

test('AMB-126 reads of one event are gone in the next; the cards stay', async () => {
  signedIn(drill)
  const client = open('grace')
  client.setQueryData(['assignment', 'cards'], 'Tower A')
  client
    .getQueryCache()
    .build(client, { queryKey: ['event', 'sites'], meta: { anyEvent: true } })
    .setData('Harbour Quarter')
  client.setQueryData(['message', 'of a warden'], 'Bruno is safe')
  await keepAndReload(client)

  updateAuth({ WardenSignInUID: fire })
  const left = client.getQueryCache().findAll({ predicate: ({ state }) => state.data !== undefined })
  expect(left.map(({ queryKey }) => queryKey)).toEqual([
    ['assignment', 'cards'],
    ['event', 'sites'],
  ])
  await expect.poll(stored, { timeout: 4000 }).not.toContain('Bruno is safe')

  const again = open('grace')
  await expect.poll(() => again.getQueryData(['assignment', 'cards'])).toBe('Tower A')
})

test('UI a phone that was off between two events does not restore the first one', async () => {
  signedIn(drill)
  await keepAndReload(open('grace'))
  for (const stop of stops) stop()

  signedIn(fire)
  const again = open('grace')

  await expect.poll(stored).not.toContain('Level 3')
  expect(again.getQueryData(['floor'])).toBeUndefined()
})

test('UI a list on screen when another event begins is refetched from nothing', async () => {
  signedIn(drill)
  const client = open('grace')
  let answer = 'Level 3, all safe'
  const observer = new QueryObserver(client, { queryKey: ['floor'], queryFn: () => Promise.resolve(answer) })
  const seen: unknown[] = []
  onTestFinished(observer.subscribe(({ data }) => seen.push(data)))
  await expect.poll(() => seen.at(-1)).toBe(answer)

  answer = 'Level 3, all unknown'
  updateAuth({ WardenSignInUID: fire })

  await expect.poll(() => seen.at(-1)).toBe(answer)
  expect(seen).toContain(undefined)
})

test('UI reads stay during one event, also while the phone knows of none', async () => {
  signedIn(drill)
  const client = open('grace')
  await keepAndReload(client)
  updateAuth({ WardenSignInUID: null, on_duty: false })
  updateAuth({ WardenSignInUID: drill, on_duty: true })
  expect(client.getQueryData(['floor'])).toBe('Level 3')

  updateAuth({ WardenSignInUID: null, on_duty: false })
  const again = open('grace')
  await expect.poll(() => again.getQueryData(['floor'])).toBe('Level 3')
  updateAuth({ WardenSignInUID: drill, on_duty: true })
  expect(again.getQueryData(['floor'])).toBe('Level 3')
  updateAuth({ WardenSignInUID: fire })
  expect(again.getQueryData(['floor'])).toBeUndefined()
})

test('UI after the conclusion nothing of the event is stored; the current page stays as it is', async () => {
  signedIn(drill)
  const client = open('grace')
  client.setQueryData(['assignment', 'cards'], 'Tower A')
  await keepAndReload(client)

  updateAuth({ on_duty: false, event: eventFlags('end') })

  await expect.poll(stored, { timeout: 4000 }).not.toContain('Level 3')
  expect(await stored()).toContain('Tower A')
  expect(client.getQueryData(['floor'])).toBe('Level 3')
})

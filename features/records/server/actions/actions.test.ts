import { expect } from 'vitest'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { addToRecord, listActions, type NewAction } from '../../calls/additions.ts'
import { getRecord } from '../../calls/records.ts'
import { isoDayAt } from '../../times.ts'
import { givenRecord } from '../records.fixture.ts'

const oil = { what: 'Oil the door', priority: 'High', due: '2034-03-01', owner: { name: 'Facilities' } } as const

async function acting(server: TestServer) {
  const at = await givenRecord(server)
  const params = { eventUid: at.eventUid }
  const act = (body: Partial<NewAction> = {}) =>
    at.manager(addToRecord, { params, body: { kind: 'action', body: { ...oil, ...body } } }, withKey())
  return { ...at, params, act }
}

test('REC2-24 an action is due today at the site or later, whatever day it is elsewhere', async ({ server }) => {
  const { act, org } = await acting(server)
  const dueIn = async (timezone: string, days: number) => {
    await server.db.updateTable('site').set({ timezone }).where('uid', '=', org.siteUid).execute()
    return act({ due: isoDayAt(Date.now() + days * 86_400_000, timezone) })
  }

  // between them it is always another day in one of both than in UTC
  for (const timezone of ['Pacific/Kiritimati', 'Pacific/Niue']) {
    await dueIn(timezone, 0)
    await expect(dueIn(timezone, -1)).rejects.toMatchObject({
      status: 422,
      code: 'invalid_request',
      message: 'Choose today or a later day.',
    })
  }
})

test('REC2-24 of many actions added at once each has a number of its own, which the record shows too', async ({
  server,
}) => {
  const { act, manager, params } = await acting(server)

  await Promise.all(Array.from({ length: 8 }, (_, nth) => act({ what: `Oil door ${nth}` })))

  const { actions } = await manager(listActions, { query: { sort: 'no' } })
  expect(actions.map(({ no }) => no)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  const { additions } = await manager(getRecord, { params })
  const numbered = Object.fromEntries(additions.map(({ uid, body }) => [uid, body.no]))
  expect(numbered).toEqual(Object.fromEntries(actions.map(({ uid, no }) => [uid, no])))
})

test('REC2-24 the list is sorted by each column in both directions, and pages follow one another', async ({
  server,
}) => {
  const { act, manager } = await acting(server)
  const priorities = ['Low', 'High', 'Medium'] as const
  for (let nth = 0; nth < 24; nth++)
    await act({
      what: `${nth % 2 ? 'oil' : 'Mend'} door ${nth}`,
      priority: priorities[nth % 3] ?? 'Low',
      due: `2034-03-${String(1 + ((nth * 7) % 24)).padStart(2, '0')}`,
      owner: { name: `Owner ${String((nth * 5) % 24).padStart(2, '0')}` },
    })
  const all = async (query: { sort?: 'no'; direction?: 'up' | 'down' }) => {
    const first = await manager(listActions, { query })
    const second = await manager(listActions, { query: { ...query, after: first.next ?? '' } })
    expect([first.actions.length, second.actions.length, second.next]).toEqual([20, 4, null])
    return [...first.actions, ...second.actions]
  }
  const keys = {
    no: ({ no }) => String(no).padStart(2, '0'),
    what: ({ what }) => what.toLowerCase(),
    record: () => '',
    site: () => '',
    priority: ({ priority }) => `${['High', 'Medium', 'Low'].indexOf(priority)}`,
    owner: ({ owner }) => owner.name,
    due: ({ due }) => due,
    state: () => '',
  } satisfies Record<string, (action: NewAction & { no: number | null }) => string>

  for (const [sort, key] of Object.entries(keys))
    for (const direction of ['up', 'down'] as const) {
      const actions = await all({ sort: sort as 'no', direction })
      expect(new Set(actions.map(({ uid }) => uid)).size).toBe(24)
      const sorted = actions.map((action) => key(action))
      const inOrder = sorted.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
      expect(sorted, `${sort} ${direction}`).toEqual(direction === 'up' ? inOrder : inOrder.toReversed())
    }
  expect((await manager(listActions, { query: {} })).actions.map(({ due }) => due)[0]).toBe('2034-03-01')
})

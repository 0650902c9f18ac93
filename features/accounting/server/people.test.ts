import { expect } from 'vitest'
import { sendToEvacuee } from '#features/messaging/calls/messaging.ts'
import type { PersonUid } from '#kernel/ids.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { listAccounted } from '../calls.ts'
import { sweep } from './accounting.fixture.ts'

test('REC-01 REC-02 each state comes with its source: seen on a floor, told, own word, or nothing yet', async ({
  server,
}) => {
  const s = await sweep(server)
  const [seenOn, told, own, nothing] = s.persons
  await s.record(s.asAnn, seenOn, 'unknown', 120)
  await s.tell(s.asBob, told, 'unknown')
  const at = new Date(Date.now() - 5000)
  await server.db
    .updateTable('evacuee')
    .set({ statusAt: at, statusObservedAt: at, textStatusAt: at, statusByPersonUid: own })
    .where('personUid', '=', own)
    .execute()

  const { people, ...page } = await s.asAnn(listAccounted, { query: { list: 'unknown' } })

  const sourceOf = (id: PersonUid) => people.find((one) => one.id === id)?.source
  const by = (name: string) => ({ name: expect.stringContaining(name), role: 'Floor Warden' })
  expect(sourceOf(seenOn)).toMatchObject({ grade: 'seen', by: by('Ann'), floor: 'Ground' })
  expect(Date.parse(page.at) - Date.parse(sourceOf(seenOn)?.at ?? '')).toBeGreaterThan(119_000)
  expect(sourceOf(told)).toMatchObject({ grade: 'told', by: by('Bob'), floor: null })
  expect(sourceOf(own)).toEqual({ grade: 'own', by: null, floor: null, at: at.toISOString(), own: 'text' })
  expect(sourceOf(nothing)).toEqual({ grade: 'none', by: null, floor: null, at: null })
})

test('REC-10 20 a page by name, by floor and by cause; a person who becomes safe leaves no gap', async ({ server }) => {
  const s = await sweep(server, { persons: 45 })
  const ids = async (query: Partial<Parameters<typeof read>[0]> = {}) => {
    const all: PersonUid[] = []
    for (let after: string | null | undefined; after !== null; ) {
      const page = await read({ ...query, ...(after && { after: after as never }) })
      expect(page.people.length).toBeLessThanOrEqual(20)
      all.push(...page.people.map(({ id }) => id))
      after = page.next
    }
    return all
  }
  const read = (query: { after?: never; cause?: 'asked'; floor?: never }) =>
    s.asAnn(listAccounted, { query: { list: 'unknown', ...query } })
  const people = s.persons as readonly PersonUid[]
  expect(await ids()).toEqual(people)

  const first = await read({})
  await s.record(s.asAnn, people[19] as PersonUid, 'safe')
  const second = await read({ after: first.next as never })
  expect(second.people[0]?.id).toBe(people[20])

  for (const nth of [3, 30, 44])
    await s.asAnn(sendToEvacuee, {
      body: { message: 'Where are you?', receiverId: people[nth] as PersonUid, automated_response_message: 0 },
    })
  const asked = [3, 30, 44].map((nth) => people[nth])
  expect(await ids({ cause: 'asked' })).toEqual(asked)
  expect(await ids({ cause: 'asked', floor: s.org.floorUid as never })).toEqual(asked)
  expect(await ids({ floor: s.org.floors[1] as never })).toEqual([])
  expect((await read({ cause: 'asked' })).people.map(({ cause }) => cause)).toEqual(['asked', 'asked', 'asked'])
})

test('REC-10 the lists of people in danger and of PEEPs not yet safe, and the floors of others', async ({ server }) => {
  const s = await sweep(server)
  const other = await sweep(server)
  const [danger, planned, safe] = s.persons
  await s.record(s.asAnn, danger, 'in danger')
  for (const person of [planned, safe]) await server.given.peep(s.org, person)
  await s.record(s.asAnn, safe, 'safe')
  const list = (name: 'danger' | 'peeps') => s.asAnn(listAccounted, { query: { list: name } })

  expect((await list('danger')).people.map(({ id }) => id)).toEqual([danger])
  const peeps = await list('peeps')
  expect(peeps.people.map(({ id, plan }) => [id, plan])).toEqual([[planned, true]])
  // PEEP-02: the mark, never the text
  expect(JSON.stringify(peeps)).not.toMatch(/wheelchair|Evacuation chair|helpers/i)
  for (const floor of [other.org.floorUid, s.org.otherFloorUid])
    expect(await refused(s.asAnn(listAccounted, { query: { list: 'unknown', floor } }))).toEqual(['not_found'])
})

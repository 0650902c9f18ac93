import { expect } from 'vitest'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { askPerson, type Conversation, conversation, replyFrom, statusOf } from './messaging.fixture.ts'

/** What Ann saw so many seconds ago, as her phone sends it now. */
const recordSeen = (c: Conversation, status: string, ago: number, floorId = c.org.floorUid) => {
  const now = Date.now()
  const headers = {
    'x-observed-at': new Date(now - ago * 1000).toISOString(),
    'x-sent-at': new Date(now).toISOString(),
  }
  return c.asAnn(setPersonStatus, { body: { personId: c.person, status, floorId } }, { headers })
}

/** A conversation in an event that began ten minutes ago. */
async function longRunning(server: TestServer) {
  const c = await conversation(server)
  const startedAt = new Date(Date.now() - 600_000)
  await server.db.updateTable('event').set({ startedAt, beganAt: startedAt }).where('uid', '=', c.eventUid).execute()
  return c
}

test('F17 AMB-130 who texts that they are still in danger is not made safe by what a warden saw before', async ({
  server,
}) => {
  const c = await longRunning(server)
  await recordSeen(c, 'danger on floor', 120)
  await askPerson(c)

  expect(await replyFrom(server, c.mobile, '2')).toEqual({ outcome: 'stored' })

  expect(await recordSeen(c, 'safe', 60)).toMatchObject({ superseded: true, person: { status: 'danger' } })
  expect(await server.evacueeOf(c.eventUid, c.person)).toMatchObject({
    status: 'danger',
    onFloor: true,
    statusByPersonUid: c.ann.personUid,
  })
  expect(await recordSeen(c, 'safe', 0)).toMatchObject({ superseded: false })
  expect(await wrongTallies(server.db, c.eventUid)).toEqual([])
})

test('F17 AMB-130 the danger that a text confirms stays the word of the warden, and the journal tells of the text', async ({
  server,
}) => {
  const c = await longRunning(server)
  await recordSeen(c, 'danger on floor', 120)
  await askPerson(c)
  const before = await server.evacueeOf(c.eventUid, c.person)

  await replyFrom(server, c.mobile, 'help')

  const after = await server.evacueeOf(c.eventUid, c.person)
  expect(after).toMatchObject({ onFloor: true, floorUid: c.org.floorUid, statusAt: before?.statusAt })
  expect((await server.journalOf(c.person)).findLast(({ action }) => action === 'evacuee_status_set')).toMatchObject({
    actorPersonUid: c.person,
    before: { status: 'danger', on_floor: true },
    after: { status: 'danger', on_floor: true, by_sms: true, superseded: false, message_id: expect.any(Number) },
  })
})

test.for([
  ['a warden saw before the question', (_: TestServer, c: Conversation) => recordSeen(c, 'in danger', 120)],
  [
    'they said by text themself',
    async (server: TestServer, c: Conversation) => {
      await askPerson(c)
      await replyFrom(server, c.mobile, '2')
    },
  ],
] as const)(
  'AMB-130 who confirms a danger that %s can take it back by text when asked again',
  async ([, inDanger], { server }) => {
    const c = await longRunning(server)
    await inDanger(server, c)
    await askPerson(c)
    await replyFrom(server, c.mobile, '2')
    await askPerson(c)

    expect(await replyFrom(server, c.mobile, '1')).toEqual({ outcome: 'status_set' })

    expect(await statusOf(server, c)).toBe('safe')
  },
)

test('AMB-130 who confirms a danger that a warden saw after the question cannot take it back until asked again', async ({
  server,
}) => {
  const c = await longRunning(server)
  await askPerson(c)
  await recordSeen(c, 'in danger', 0)
  await replyFrom(server, c.mobile, '2')

  expect(await replyFrom(server, c.mobile, '1')).toEqual({ outcome: 'stored' })

  expect(await statusOf(server, c)).toBe('danger')
  await askPerson(c)
  expect(await replyFrom(server, c.mobile, '1')).toEqual({ outcome: 'status_set' })
})

test('F17 AMB-130 a danger by text that is said again stands as of then, and is still shown as said by text', async ({
  server,
}) => {
  const c = await longRunning(server)
  await askPerson(c)
  await replyFrom(server, c.mobile, '2')
  const before = await server.evacueeOf(c.eventUid, c.person)

  await replyFrom(server, c.mobile, 'help')

  const after = await server.evacueeOf(c.eventUid, c.person)
  expect(after?.statusObservedAt?.getTime()).toBeGreaterThan(before?.statusObservedAt?.getTime() ?? Infinity)
  expect(after?.textStatusAt).toEqual(after?.statusAt)
})

test('F17 AMB-130 what a warden saw before a danger by text tells where the person is, and vouches for it', async ({
  server,
}) => {
  const c = await longRunning(server)
  await askPerson(c)
  await replyFrom(server, c.mobile, '2')

  await recordSeen(c, 'danger on floor', 60, c.org.floors[2])

  const after = await server.evacueeOf(c.eventUid, c.person)
  expect(after).toMatchObject({ floorUid: c.org.floors[2], onFloor: true, statusByPersonUid: c.ann.personUid })
  expect(after?.statusAt).not.toEqual(after?.textStatusAt)
  expect(await recordSeen(c, 'safe', 30)).toMatchObject({ superseded: true })
  await askPerson(c)
  expect(await replyFrom(server, c.mobile, '1')).toEqual({ outcome: 'status_set' })
})

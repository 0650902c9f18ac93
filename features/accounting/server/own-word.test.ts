import { expect } from 'vitest'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import {
  askPerson,
  type Conversation,
  conversation,
  record,
  replyFrom,
} from '#features/messaging/server/messaging.fixture.ts'
import { inClients } from '#server/platform/db/db.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { seen } from './accounting.fixture.ts'
import { listContradictions } from './contradictions.queries.ts'

const contradictionsIn = (server: TestServer, { org, eventUid }: Conversation) =>
  inClients(server.database.tenant.db, [org.clientUid], (tx) => listContradictions(tx, org.clientUid, eventUid))

/** The danger, which is told first, was seen before the "safe". */
const dangerCameFirst = async (server: TestServer, c: Conversation) => {
  const [found] = await contradictionsIn(server, c)
  return found?.second && found.first < found.second
}

const kindsIn = async (server: TestServer, c: Conversation) => {
  const found = await contradictionsIn(server, c)
  const { person } = c
  expect(found.every(({ subject }) => subject === person)).toBe(true)
  return found.map(({ kind }) => kind)
}

test('REC-07 own word that lifts a danger which a warden saw, until a warden records', async ({ server }) => {
  const c = await conversation(server)
  await record(c, 'in danger')
  await askPerson(c)

  await replyFrom(server, c.mobile, '1')

  expect(await kindsIn(server, c)).toEqual(['own_lifted'])
  expect(await dangerCameFirst(server, c)).toBe(true)
  await c.asBob(setPersonStatus, { body: { personId: c.person, status: 'safe', floorId: c.org.floorUid } }, seen(0))
  expect(await kindsIn(server, c)).toEqual([])
})

test('REC-07 own word safe while a danger stands that was seen after the question, until the person says danger', async ({
  server,
}) => {
  const c = await conversation(server)
  await askPerson(c)
  await record(c, 'in danger')

  await replyFrom(server, c.mobile, '1')

  expect(await kindsIn(server, c)).toEqual(['own_safe'])
  expect(await dangerCameFirst(server, c)).toBe(true)
  await replyFrom(server, c.mobile, '2')
  expect(await kindsIn(server, c)).toEqual([])
})

test('REC-07 an older "safe" of a warden that comes in late does not take the place of an own word', async ({
  server,
}) => {
  const c = await conversation(server)
  const began = new Date(Date.now() - 3_600_000)
  await server.db.updateTable('event').set({ startedAt: began, beganAt: began }).where('uid', '=', c.eventUid).execute()
  await askPerson(c)
  await record(c, 'in danger')
  await replyFrom(server, c.mobile, '1')
  const [own] = await contradictionsIn(server, c)

  await c.asBob(setPersonStatus, { body: { personId: c.person, status: 'safe', floorId: c.org.floorUid } }, seen(180))

  expect(await contradictionsIn(server, c)).toEqual([own])
  expect(own?.kind).toBe('own_safe')
})

test('REC-07 own word that lifts own word is no contradiction', async ({ server }) => {
  const c = await conversation(server)
  await askPerson(c)
  await replyFrom(server, c.mobile, '2')
  await askPerson(c)

  await replyFrom(server, c.mobile, '1')

  expect(await kindsIn(server, c)).toEqual([])
})

test('REC-07 ANS-06 own word safe after own word danger, without a question in between, is for a warden to settle', async ({
  server,
}) => {
  const c = await conversation(server)
  await askPerson(c)
  for (const word of ['1', '2', '1']) await replyFrom(server, c.mobile, word)

  expect(await kindsIn(server, c)).toEqual(['own_safe'])
  await askPerson(c)
  await replyFrom(server, c.mobile, '1')
  expect(await kindsIn(server, c)).toEqual([])
})

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listReportInCards } from '#features/duty/calls/report-in.ts'
import type { Warden } from '#server/testing/given-wardens.ts'
import { startNode } from '#server/testing/nodes.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { startTestServer, type TestServer } from '#server/testing/test-server.ts'
import { joinWhoseDayHasCome } from './event-wardens.service.ts'

/** An event and, not yet of it, a warden of the next roster, whose desk is in its building. */
async function eventBefore(server: TestServer) {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org, { dateFrom: '2099-01-01', dateTo: '2099-12-31' })
  const { eventUid } = await server.runningEvent(org)
  return { org, warden, eventUid }
}
type Before = Awaited<ReturnType<typeof eventBefore>>
const failed = (error: unknown) => {
  throw error
}
/** To the database the assignment has begun, as if it were that day. */
const dayComes = ({ db }: TestServer, { assignmentUid }: Warden) =>
  db.updateTable('wardenAssignment').set({ dateFrom: '2026-01-01' }).where('uid', '=', assignmentUid).execute()

test('AMB-067 LIST-37 whose assignment begins while the event runs is asked to report in, by whichever node works', {
  timeout: 60_000,
}, async () => {
  await using server = await startTestServer()
  const { warden, eventUid } = await eventBefore(server)
  await dayComes(server, warden)
  const call = await server.as(warden)
  const cards = () => call(listReportInCards, { query: { signInMethod: 'Email' } })
  expect(await cards()).toMatchObject([{ Header: 'Current Assignment' }])

  await using _ = await startNode(server.database)

  await expect.poll(cards, { timeout: 10_000 }).toMatchObject([{ Header: 'Event In Progress' }])
  expect(await server.evacueeOf(eventUid, warden.personUid)).not.toMatchObject({ active: true })
})

test('AMB-067 RT-17 however many workers look at once, they join once, are told of once, and no longer counted', async () => {
  await using server = await startTestServer()
  const { warden, eventUid } = await eventBefore(server)
  const look = () => joinWhoseDayHasCome(server.db, failed)
  await look()
  expect(await server.signInOf(eventUid, warden)).toBeUndefined()
  await dayComes(server, warden)

  await Promise.all(Array.from({ length: 8 }, look))
  await look()

  const signIn = await server.signInOf(eventUid, warden)
  expect(signIn).toMatchObject({ reportedIn: false, onDuty: false, closedAt: null })
  expect(await server.journalOf(warden.assignmentUid)).toMatchObject([
    { action: 'assignment_changed', eventUid, after: { sign_in_uid: signIn?.uid, by: 'date' } },
  ])
  expect(await server.evacueeOf(eventUid, warden.personUid)).not.toMatchObject({ active: true })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('AMB-067 where no one is missing, nothing waits for what holds the site', async () => {
  await using server = await startTestServer()
  const { org } = await eventBefore(server)
  const held = await server.hold('site', org.siteUid)

  await joinWhoseDayHasCome(server.db, failed)

  await held.release()
})

test('AMB-067 a site where joining fails keeps no other waiting', async () => {
  await using server = await startTestServer()
  const events = [await eventBefore(server), await eventBefore(server)]
  for (const { warden } of events) await dayComes(server, warden)
  // they are done in the order of their sites
  const [bad, good] = events.sort((one, other) => (one.org.siteUid < other.org.siteUid ? -1 : 1)) as [Before, Before]
  await sql`
    alter table warden_sign_in add check (event_uid <> ${sql.lit(bad.eventUid)}) not valid`.execute(
    server.database.owner.db,
  )
  const troubles: unknown[] = []

  await joinWhoseDayHasCome(server.db, (error) => troubles.push(error))

  expect(troubles).toEqual([expect.objectContaining({ constraint: expect.any(String) })])
  expect(await server.signInOf(bad.eventUid, bad.warden)).toBeUndefined()
  expect(await server.signInOf(good.eventUid, good.warden)).toMatchObject({ closedAt: null })
})

import { expect } from 'vitest'
import { endEvent } from '#features/events/calls/events.ts'
import type { SignInUid } from '#kernel/ids.ts'
import { endInput } from '#server/testing/event-input.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { getReportInCardByLink, listReportInCards, markNotAvailable, markOnDuty } from '../calls/report-in.ts'

/** A warden who is in a running event and has another assignment besides. */
async function wardenInEvent(server: TestServer) {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  await server.given.assignment(warden, await server.given.site(org))
  const { eventUid, manager } = await server.runningEvent(org)
  const signIn = await server.signInOf(eventUid, warden)
  const end = () => manager(endEvent, endInput(org))
  return { org, warden, call: await server.as(warden), signInUid: signIn?.uid as SignInUid, end }
}

test('LIST-36 API-15 by link there is the one card of that sign-in, as the list shows it', async ({ server }) => {
  const { call, signInUid } = await wardenInEvent(server)

  const cards = await call(getReportInCardByLink, { query: { WardenSignInUID: signInUid } })

  const listed = await call(listReportInCards, { query: { signInMethod: 'Mobile' } })
  expect(listed).toHaveLength(2)
  expect(cards).toEqual([listed[0]])
  expect(cards[0]).toMatchObject({ Header: 'Event In Progress', Warden_Sign_In_UID: signInUid })
})

test('LIST-36 by link there is nothing once the event has ended', async ({ server }) => {
  const { call, signInUid, end } = await wardenInEvent(server)

  await end()

  expect(await call(getReportInCardByLink, { query: { WardenSignInUID: signInUid } })).toEqual([])
})

test("API-15 API-17 API-18 T2 another's sign-in answers as one that does not exist", async ({ server }) => {
  const { call, signInUid: own } = await wardenInEvent(server)
  const { signInUid: foreign } = await wardenInEvent(server)
  const unknown = '00000000-0000-4000-8000-000000000000' as SignInUid

  const answers = (uid: SignInUid) =>
    refused(
      call(getReportInCardByLink, { query: { WardenSignInUID: uid } }),
      call(markOnDuty, { body: { Warden_Sign_In_UID: uid } }),
      call(markNotAvailable, { body: { Warden_Sign_In_UID: uid } }),
    )

  expect(await answers(foreign)).toEqual(['not_found', 'not_found', 'not_found'])
  expect(await answers(unknown)).toEqual(await answers(foreign))
  expect(await answers(own)).toEqual(['answered', 'answered', 'answered'])
})

test('LINK-08 LIST-36 a report-in link opens its own card and no other of the account', async ({ server }) => {
  const { warden, signInUid } = await wardenInEvent(server)
  const org = await server.given.organisation()
  const atOther = await server.given.warden(org, { accountUid: warden.accountUid })
  const { eventUid } = await server.runningEvent(org)
  const other = { signInUid: (await server.signInOf(eventUid, atOther))?.uid as SignInUid }
  const call = await server.as(warden, { signInUid })

  const listed = await call(listReportInCards, { query: { signInMethod: 'Mobile' } })
  const beyond = await refused(
    call(getReportInCardByLink, { query: { WardenSignInUID: other.signInUid } }),
    call(markOnDuty, { body: { Warden_Sign_In_UID: other.signInUid } }),
    call(markNotAvailable, { body: { Warden_Sign_In_UID: other.signInUid } }),
  )

  expect(listed.map((card) => card.Warden_Sign_In_UID)).toEqual([signInUid])
  expect(beyond).toEqual(['not_found', 'not_found', 'not_found'])
  expect(await call(markOnDuty, { body: { Warden_Sign_In_UID: signInUid } })).toMatchObject({ status: 'On Duty' })
})

test('API-17 a sign-in of the own account at another organisation can be marked from here', async ({ server }) => {
  const { warden, signInUid } = await wardenInEvent(server)
  const elsewhere = await server.given.warden(await server.given.organisation(), { accountUid: warden.accountUid })
  const call = await server.as(elsewhere)

  const answer = await call(markOnDuty, { body: { Warden_Sign_In_UID: signInUid } })

  expect(answer).toMatchObject({ status: 'On Duty' })
  const [told] = await server.journalOf(signInUid)
  expect(told).toMatchObject({
    action: 'warden_reported_in',
    clientUid: warden.clientUid,
    actorPersonUid: warden.personUid,
    actorSignInUid: signInUid,
  })
})

test.for(['client', 'person'] as const)(
  'API-17 a sign-in at a deactivated %s is not found',
  async (table, { server }) => {
    const { warden, signInUid } = await wardenInEvent(server)
    const elsewhere = await server.given.warden(await server.given.organisation(), { accountUid: warden.accountUid })
    const call = await server.as(elsewhere)
    const uid = table === 'client' ? warden.clientUid : warden.personUid
    await server.db.updateTable(table).set({ active: false }).where('uid', '=', uid).execute()

    const attempt = call(markOnDuty, { body: { Warden_Sign_In_UID: signInUid } })

    await expect(attempt).rejects.toMatchObject({ code: 'not_found' })
  },
)

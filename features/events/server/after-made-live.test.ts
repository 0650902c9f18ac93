import { expect } from 'vitest'
import { updateAssignmentStatus } from '#features/assignments/calls/assignments.ts'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { sendTexts } from '#server/testing/texts.ts'
import { makeEventLive } from '../calls/events.ts'

/** A drill in Tower A that began an hour ago, with a warden on duty and one who is not. */
async function drill(server: TestServer) {
  const org = await server.given.organisation()
  const [ada, ben] = [await server.given.warden(org), await server.given.warden(org)]
  await server.given.occupants(org, 2)
  const { eventUid, manager } = await server.runningEvent(org, { kind: 'drill', alertToWarden: 'yes' })
  const beganAt = new Date(Date.now() - 3_600_000)
  await server.db.updateTable('event').set({ beganAt }).where('uid', '=', eventUid).execute()
  const makeLive = () => manager(makeEventLive, { body: { event: eventUid, message: 'No drill.' } })
  return { org, ben, eventUid, makeLive, call: await server.onDuty(ada) }
}

test('KIND-13 a text of the drill that was queued beside the product, without a prefix, is skipped by its age', async ({
  server,
}) => {
  const { eventUid, makeLive } = await drill(server)
  const claimed = { claimedUntil: new Date(Date.now() + 3_600_000), prefix: '' }
  const texts = () => server.db.updateTable('sms').where('eventUid', '=', eventUid)
  await texts().set(claimed).execute()
  await makeLive()
  await texts().set({ claimedUntil: null }).where('claimedUntil', 'is not', null).execute()

  await sendTexts(server)

  const alerts = server.db.selectFrom('sms').select('reason').where('eventUid', '=', eventUid)
  const drills = await alerts.where('body', 'not like', 'No drill.%').execute()
  expect(drills.map(({ reason }) => reason)).toEqual(drills.map(() => 'The drill became a live event.'))
  expect(drills.length).toBeGreaterThan(0)
})

test('KIND-16 of someone who comes to the list after the drill became live, a "safe" seen in the drill counts for nothing', async ({
  server,
}) => {
  const { org, ben, eventUid, makeLive, call } = await drill(server)
  await makeLive()
  const withdrawn = { Assignment_Status: 'Withdrawn', Assignment_Declined_Note: 'Changed teams' } as const
  await (await server.as(ben))(updateAssignmentStatus, {
    body: { Warden_Assignment_UID: ben.assignmentUid, ...withdrawn },
  })
  const body = { personId: ben.personUid, status: 'safe', floorId: org.floorUid }
  const headers = {
    'x-observed-at': new Date(Date.now() - 60_000).toISOString(),
    'x-sent-at': new Date().toISOString(),
  }

  expect(await call(setPersonStatus, { body }, { headers })).toMatchObject({ superseded: true })

  expect(await server.evacueeOf(eventUid, ben.personUid)).toMatchObject({ active: true, status: 'unknown' })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

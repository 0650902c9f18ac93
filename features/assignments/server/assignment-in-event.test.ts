import { expect } from 'vitest'
import { listReportInCards, reportIn, reportNotAvailable } from '#features/duty/calls/report-in.ts'
import { createEvent, endEvent } from '#features/events/calls/events.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import type { EventUid, SignInUid } from '#kernel/ids.ts'
import { endInput, startInput } from '#server/testing/event-input.ts'
import type { Warden, WardenOver } from '#server/testing/given-wardens.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { updateAssignmentStatus } from '../calls/assignments.ts'

const accept = ({ assignmentUid }: Warden) => ({
  body: { Warden_Assignment_UID: assignmentUid, Assignment_Status: 'Accepted' as const },
})
const withdraw = ({ assignmentUid }: Warden) => ({
  body: {
    Warden_Assignment_UID: assignmentUid,
    Assignment_Status: 'Withdrawn' as const,
    Assignment_Declined_Note: 'Changed teams',
  },
})

/** A warden whose desk is in Tower A, where an event runs. */
async function duringEvent(server: TestServer, over: WardenOver = {}) {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org, { deskFloorUid: org.floorUid, ...over })
  const event = await server.runningEvent(org)
  const state = async () => ({
    status: (await assignmentOf(server, warden)).status,
    signIn: await server.signInOf(event.eventUid, warden),
    isOccupant: (await server.evacueeOf(event.eventUid, warden.personUid))?.active ?? false,
    wrongTallies: await wrongTallies(server.db, event.eventUid),
  })
  return { ...event, org, warden, call: await server.as(warden), state }
}
const assignmentOf = ({ db }: TestServer, { assignmentUid }: Warden) =>
  db.selectFrom('wardenAssignment').select('status').where('uid', '=', assignmentUid).executeTakeFirstOrThrow()

test('ASSIGN-17 AMB-067 who accepts while an event runs in their area is its warden, no longer an occupant', async ({
  server,
}) => {
  const { eventUid, warden, call, state } = await duringEvent(server, { status: 'Offered' })
  expect(await state()).toMatchObject({ signIn: undefined, isOccupant: true })

  await call(updateAssignmentStatus, accept(warden))

  expect(await state()).toMatchObject({
    status: 'Accepted',
    signIn: { reportedIn: false, onDuty: false, notAvailable: false, closedAt: null },
    isOccupant: false,
    wrongTallies: [],
  })
  const signInUid = (await server.signInOf(eventUid, warden))?.uid
  expect(await server.journalOf(warden.assignmentUid)).toMatchObject([
    { eventUid, after: { status: 'Accepted', sign_in_uid: signInUid } },
  ])
  const [card] = await call(listReportInCards, { query: { signInMethod: 'Email' } })
  expect(card).toMatchObject({ Header: 'Event In Progress', Warden_Sign_In_UID: signInUid })
})

const beyond = [
  ['of another building', (org) => ({ floorUid: org.otherFloorUid })],
  ['that begins later', () => ({ dateFrom: '2099-01-01' })],
] as const satisfies [string, (org: { otherFloorUid: WardenOver['floorUid'] }) => object][]
test.for(beyond)('AMB-067 an assignment %s is accepted without a place in the event', async ([, over], { server }) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org, {
    status: 'Offered',
    deskFloorUid: org.floorUid,
    ...(over(org) as object),
  })
  const { eventUid } = await server.runningEvent(org)

  await (await server.as(warden))(updateAssignmentStatus, accept(warden))

  expect(await server.signInOf(eventUid, warden)).toBeUndefined()
  expect(await server.evacueeOf(eventUid, warden.personUid)).toMatchObject({ active: true })
  expect(await server.journalOf(warden.assignmentUid)).toMatchObject([
    { eventUid: null, after: { status: 'Accepted' } },
  ])
})

test('AMB-067 who withdraws and works on a floor newer than the event is counted with the building', async ({
  server,
}) => {
  const { org, eventUid, warden, call, state } = await duringEvent(server)
  const deskFloorUid = await server.given.floor(org, 'Level 9', 9)
  const desk = server.db.updateTable('person').set({ primaryFloorUid: deskFloorUid })
  await desk.where('uid', '=', warden.personUid).execute()

  await call(updateAssignmentStatus, withdraw(warden))

  expect(await state()).toMatchObject({ isOccupant: true, wrongTallies: [] })
  expect(await server.evacueeOf(eventUid, warden.personUid)).toMatchObject({
    placeUid: org.buildingUid,
    floorUid: null,
    homeFloorUid: null,
  })
})

test('ASSIGN-28 AMB-067 no one withdraws while on duty in an active event', async ({ server }) => {
  const { warden, call, state } = await duringEvent(server)
  await call(reportIn, {})

  await expect(call(updateAssignmentStatus, withdraw(warden))).rejects.toMatchObject({ code: 'on_duty', status: 409 })

  expect(await state()).toMatchObject({ status: 'Accepted', signIn: { onDuty: true, closedAt: null } })
  expect(await server.journalOf(warden.assignmentUid)).toEqual([])
})

const attendances = [
  ['unknown', async () => undefined],
  ['not available', (call) => call(reportNotAvailable, {})],
  ['off duty', async (call) => [await call(reportIn, {}), await call(logout, {})]],
] as const satisfies [string, (call: Awaited<ReturnType<TestServer['as']>>) => Promise<unknown>][]
test.for(attendances)(
  'ASSIGN-19 AMB-067 %s, a warden who withdraws leaves the event and is counted as an occupant again',
  async ([, attend], { server }) => {
    const { eventUid, warden, call, state } = await duringEvent(server)
    await attend(call)

    await (await server.as(warden))(updateAssignmentStatus, withdraw(warden))

    expect(await state()).toMatchObject({
      status: 'Withdrawn',
      signIn: { onDuty: false, closedAt: expect.any(Date) },
      isOccupant: true,
      wrongTallies: [],
    })
    const { uid } = (await server.signInOf(eventUid, warden)) ?? {}
    expect(await server.journalOf(warden.assignmentUid)).toMatchObject([
      { eventUid, after: { status: 'Withdrawn', sign_in_uid: uid } },
    ])
  },
)

test('ASSIGN-19 the session of a report-in link ends with the sign-in that it was for', async ({ server }) => {
  const { eventUid, warden } = await duringEvent(server)
  const signInUid = (await server.signInOf(eventUid, warden))?.uid as SignInUid
  const byLink = await server.as(warden, { signInUid })

  await byLink(updateAssignmentStatus, withdraw(warden))

  expect(await refused(byLink(listReportInCards, { query: { signInMethod: 'Mobile' } }))).toEqual(['not_signed_in'])
})

test('ASSIGN-24 a report-in link answers for its own assignment only', async ({ server }) => {
  const { eventUid, org, warden } = await duringEvent(server)
  const second = { ...warden, assignmentUid: await server.given.assignment(warden, org, { role: 'Building Warden' }) }
  const byLink = await server.as(warden, { signInUid: (await server.signInOf(eventUid, warden))?.uid as SignInUid })

  expect(await refused(byLink(updateAssignmentStatus, withdraw(second)))).toEqual(['not_found'])
})

test('AMB-067 who left the event with their building before withdraws without touching it again', async ({
  server,
}) => {
  const { eventUid, org, warden, manager, call } = await duringEvent(server)
  await manager(createEvent, startInput(org, { buildings: [org.otherBuildingUid] }))
  await manager(endEvent, endInput(org))
  const before = await server.signInOf(eventUid, warden)
  expect(before?.closedAt).not.toBeNull()

  await call(updateAssignmentStatus, withdraw(warden))

  expect(await server.signInOf(eventUid, warden)).toEqual(before)
  expect(await server.journalOf(warden.assignmentUid)).toMatchObject([{ eventUid: null }])
})

test('AMB-067 a withdrawal after the end of the event is plain', async ({ server }) => {
  const { org, warden, manager, call, state } = await duringEvent(server)
  await call(reportIn, {})
  await manager(endEvent, endInput(org))

  await call(updateAssignmentStatus, withdraw(warden))

  expect(await state()).toMatchObject({ status: 'Withdrawn' })
  expect(await server.journalOf(warden.assignmentUid)).toMatchObject([{ eventUid: null }])
})

test.for(['accept', 'start'] as const)(
  'AMB-067 an accept and the start of the event at once, %s first',
  async (first, { server }) => {
    const org = await server.given.organisation()
    const warden = await server.given.warden(org, { status: 'Offered' })
    const [call, manager] = [
      await server.as(warden),
      await server.as(await server.given.warden(org, { role: 'Chief Warden' })),
    ]
    const steps = {
      accept: () => call(updateAssignmentStatus, accept(warden)),
      start: () => manager(createEvent, startInput(org)),
    }
    const second = first === 'accept' ? 'start' : 'accept'

    const held = await server.hold('site', org.siteUid)
    const one = steps[first]()
    await held.waiting(1)
    const other = steps[second]()
    await held.waiting(2)
    await held.release()
    const [started] = (await Promise.all([one, other])).filter((reply) => 'event' in reply)

    const eventUid = started?.event?.id as EventUid
    expect(await server.signInOf(eventUid, warden)).toMatchObject({ closedAt: null })
    expect((await server.evacueeOf(eventUid, warden.personUid))?.active ?? false).toBe(false)
    expect(await wrongTallies(server.db, eventUid)).toEqual([])
  },
)

test.for(['withdraw', 'report in'] as const)(
  'ASSIGN-28 AMB-067 a withdrawal and a report in at once, %s first',
  async (first, { server }) => {
    const { eventUid, warden, call, state } = await duringEvent(server)
    const steps = {
      withdraw: () => refused(call(updateAssignmentStatus, withdraw(warden))),
      'report in': async () => [JSON.stringify(await call(reportIn, {}))],
    }
    const second = first === 'withdraw' ? 'report in' : 'withdraw'

    const held = await server.hold('warden_sign_in', (await server.signInOf(eventUid, warden))?.uid as string)
    const one = steps[first]()
    await held.waiting(1)
    const other = steps[second]()
    await held.waiting(2)
    await held.release()
    const answers = [await one, await other].flat()

    // on duty and accepted, or withdrawn and out of the event: never on duty in a role that was given up
    if (first === 'withdraw') expect(answers).toEqual(['answered', expect.stringContaining('no_current_event')])
    else expect(answers).toEqual([expect.stringContaining('On Duty'), 'on_duty'])
    const { status, signIn } = await state()
    expect([status, signIn?.onDuty, signIn?.closedAt === null]).toEqual(
      first === 'withdraw' ? ['Withdrawn', false, false] : ['Accepted', true, true],
    )
  },
)

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { listHazards, makePack, noteHazard } from '#features/arrival-pack/calls.ts'
import { textOf, visitorOf } from '#features/arrival-pack/server/pack.fixture.ts'
import { updateAssignmentStatus } from '#features/assignments/calls/assignments.ts'
import { type Board, getBoard } from '#features/board/calls/board.ts'
import { type BoardPanel, getBoardFloor } from '#features/board/calls/board-panel.ts'
import { sendInstruction } from '#features/command/calls/instructions.ts'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { listReports } from '#features/self-report/calls.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { sendTexts } from '#server/testing/texts.ts'
import { getBrief } from '../calls/brief.ts'
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
  return { org, ben, eventUid, manager, makeLive, call: await server.onDuty(ada) }
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

test('KIND-13 KIND-18 what a drill asked for no one does in the emergency; its hazards and calls for help stay, and say that they are of the drill', async ({
  server,
}) => {
  const { org, eventUid, manager, makeLive, call } = await drill(server)
  const note = (text: string) => manager(noteHazard, { body: { text, place: org.floorUid } }, withKey())
  const callForHelp = () =>
    server.db
      .insertInto('selfReport')
      .values({
        clientUid: org.clientUid,
        eventUid,
        way: 'poster',
        status: 'help',
        network: 'n',
        saidName: 'Kim',
        formKey: randomBytes(16),
        state: 'open',
        buildingUid: org.buildingUid,
        floorUid: org.floorUid,
        at: sql<Date>`steady_now()`,
      })
      .execute()
  const boardOf = async () => (await manager(getBoard, { query: {} })) as Board
  const instruct = (message: string) =>
    manager(sendInstruction, { body: { kind: 'evacuate', message, floors: 'all', text: 'no' } }, withKey())
  await note('Smoke machine')
  await callForHelp()
  await instruct('Walk to the oval.')
  expect((await call(getBrief, {})).instruction).toMatchObject({ message: 'Walk to the oval.' })
  expect((await boardOf()).calls).toMatchObject([{ count: 1 }])
  expect((await boardOf()).calls[0]?.in_drill).toBeUndefined()
  const reports = async () => (await manager(listReports, { query: { state: 'open' } })).reports
  expect((await reports()).map(({ in_drill }) => in_drill)).toEqual([true])

  await makeLive()
  await note('Real smoke')
  await callForHelp()

  expect((await call(getBrief, {})).instruction).toBeNull()
  await expect.poll(async () => (await boardOf()).calls[0]).toMatchObject({ count: 2, in_drill: 1 })
  expect((await boardOf()).instruction).toBeUndefined()
  const { hazards } = await manager(listHazards, {})
  expect(hazards.map(({ text, in_drill }) => [text, in_drill])).toEqual([
    ['Real smoke', false],
    ['Smoke machine', true],
  ])
  const panel: BoardPanel = await manager(getBoardFloor, { params: { floorId: org.floorUid } })
  expect(panel.hazards).toEqual(['Real smoke', 'Smoke machine (in the drill)'])
  expect(panel.calls.map(({ in_drill }) => in_drill)).toEqual([true, undefined])
  expect((await reports()).map(({ in_drill }) => in_drill)).toEqual([true, undefined])
  const { url } = await manager(makePack, { body: { hours: 1, plans: 'no' } }, withKey())
  const visitor = visitorOf(server)
  const { location } = (await visitor.post(new URL(url).pathname)).headers
  const page = textOf((await visitor.get(String(location))).body)
  expect(page).toMatch(/Hazards Real smoke Tower A, Ground Noted .* Smoke machine \(noted in the drill\)/)

  await instruct('Leave now.')
  expect((await call(getBrief, {})).instruction).toMatchObject({ message: 'Leave now.' })
})

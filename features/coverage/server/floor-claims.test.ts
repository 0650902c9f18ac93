import { expect } from 'vitest'
import { getBuildingStatus } from '#features/duty/calls/attendance.ts'
import { reportIn } from '#features/duty/calls/report-in.ts'
import { getFloorData } from '#features/evacuation/calls/evacuation.ts'
import { getBrief } from '#features/events/calls/brief.ts'
import { endEvent } from '#features/events/calls/events.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import { endInput } from '#server/testing/event-input.ts'
import { test } from '#server/testing/server-test.ts'
import { withKey } from '#server/testing/test-server.ts'
import { claimFloor, getFloorCoverage, giveBackFloor } from '../calls/coverage.ts'
import { givenCoverage } from './coverage.fixture.ts'

test('COV-10 COV-01 one tap takes a floor, a repeat changes nothing, and giving it back makes it a gap again', async ({
  server,
}) => {
  const { org, join } = await givenCoverage(server)
  const kim = await join()
  const [ground, level1] = org.floors
  const key = withKey()
  const body = { floorId: level1 }

  const { claim } = await kim.call(claimFloor, { body }, key)
  expect(await kim.call(claimFloor, { body }, key)).toEqual({ claim })
  expect((await kim.call(claimFloor, { body })).claim.since).toBe(claim.since)
  const taken = await kim.call(getFloorCoverage, {})
  const { claim: none } = await kim.call(giveBackFloor, { body })
  const given = await kim.call(getFloorCoverage, {})

  expect(claim).toMatchObject({ id: level1, name: 'Level 1', whole_building: false, own_warden: null })
  expect([taken.gaps.map(({ name }) => name), taken.claims]).toEqual([['Level 2'], [claim]])
  expect(taken.gaps[0]).toMatchObject({ own_building: true, asked: null, overdue: false })
  expect(none).toBeNull()
  expect(given.gaps.map(({ name }) => name)).toEqual(['Level 2', 'Level 1'])
  // COV-03: since the claim ended, not since the start
  expect((given.gaps[1]?.since ?? '') > claim.since).toBe(true)
  await expect(kim.call(giveBackFloor, { body })).rejects.toMatchObject({ code: 'not_found' })
  await expect(kim.call(giveBackFloor, { body: { floorId: ground } })).rejects.toMatchObject({ code: 'not_found' })
  const told = await server.journalOf(level1)
  expect(told.map(({ action }) => action)).toEqual(['floor_claimed', 'floor_given_back'])
  expect(JSON.stringify(told.map(({ after }) => after))).not.toContain('Level')
})

test('COV-11 who comes second reads who has the floor, or that its own warden is there', async ({ server }) => {
  const { org, join } = await givenCoverage(server)
  const [kim, lee] = [await join({ firstName: 'Kim' }), await join({ floorUid: org.floors[2], firstName: 'Lee' })]
  await kim.call(claimFloor, { body: { floorId: org.floors[1] } })

  await expect(lee.call(claimFloor, { body: { floorId: org.floors[1] } })).rejects.toMatchObject({
    status: 409,
    code: 'floor_taken',
    message: `${kim.name} has just taken it. Thank you.`,
  })
  await expect(lee.call(claimFloor, { body: { floorId: org.floors[0] } })).rejects.toMatchObject({
    status: 409,
    code: 'floor_covered',
    message: `${kim.name} is there. Thank you.`,
  })
})

test('COV-11 200 wardens take 100 floors at once: 100 stand, and the others read whose they are', async ({
  server,
}) => {
  const { org, join, eventUid } = await givenCoverage(server)
  const floors = await server.db
    .insertInto('floor')
    .values(
      Array.from({ length: 100 }, (_, n) => ({
        clientUid: org.clientUid,
        buildingUid: org.buildingUid,
        code: `X${n}`,
        name: `Floor ${n}`,
        level: n + 3,
      })),
    )
    .returning('uid')
    .execute()
  const wardens = await Promise.all(Array.from({ length: 200 }, () => join()))

  const answers = await Promise.allSettled(
    wardens.map(({ call }, n) => call(claimFloor, { body: { floorId: floors[n % 100]?.uid as never } })),
  )

  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['floor_taken']))
  expect(refused).toHaveLength(100)
  const holders = new Map(
    answers.flatMap((answer, n) => (answer.status === 'fulfilled' ? [[n % 100, wardens[n]?.name] as const] : [])),
  )
  expect(holders.size).toBe(100)
  for (const [n, answer] of answers.entries())
    if (answer.status === 'rejected')
      expect(answer.reason.message).toBe(`${holders.get(n % 100)} has just taken it. Thank you.`)
  const stored = await server.db.selectFrom('floorClaim').selectAll().where('eventUid', '=', eventUid).execute()
  expect(stored).toHaveLength(100)
})

test('COV-01 COV-14 the floor warden status says who has taken a floor, and floor evacuation opens with it', async ({
  server,
}) => {
  const { org, join, manager } = await givenCoverage(server)
  const kim = await join()
  const shown = async () => {
    const data = await kim.call(getFloorData, { query: {} })
    return 'input' in data ? data.input.floor : undefined
  }
  const before = await manager(getBuildingStatus, {})
  await kim.call(claimFloor, { body: { floorId: org.floors[2] } })

  const status = await manager(getBuildingStatus, {})
  const taken = await shown()
  await kim.call(giveBackFloor, { body: { floorId: org.floors[2] } })

  const floors = 'selected_building' in status ? status.selected_building.floors : []
  const told = floors.map(({ name, status: word, claimed_by }) => [name, word, claimed_by])
  expect(told).toContainEqual(['Level 2', 'No Floor Wardens', kim.name])
  expect(told).toContainEqual(['Ground', 'Covered', null])
  const gapsOf = (answer: typeof status) => ('gaps' in answer ? answer.gaps.map(({ name }) => name) : undefined)
  expect([gapsOf(before), gapsOf(status)]).toEqual([['Level 1', 'Level 2'], ['Level 1']])
  expect([taken, await shown()]).toEqual([org.floors[2], org.floors[0]])
})

test('COV-13 a claim ends when its warden goes off duty, also if they come back, and the next one may take the floor', async ({
  server,
}) => {
  const { org, join, eventUid } = await givenCoverage(server)
  const [kim, lee] = [await join(), await join()]
  const body = { floorId: org.floors[1] }
  await kim.call(claimFloor, { body })

  await kim.call(logout, {})
  const back = await server.as(kim.warden)
  await back(reportIn, {})
  const brief = await back(getBrief, {})
  const { claim } = await lee.call(claimFloor, { body })

  expect(brief.claims).toEqual([])
  expect(claim.id).toBe(org.floors[1])
  const claims = await server.db.selectFrom('floorClaim').selectAll().where('eventUid', '=', eventUid).execute()
  const left = (await server.signInOf(eventUid, kim.warden))?.offDutyAt
  expect(claims.find(({ endedAt }) => endedAt)).toMatchObject({ endReason: 'left', endedAt: left })
})

test('COV-13 the claimant reads that the own warden of the floor has come, and keeps it until giving it back', async ({
  server,
}) => {
  const { org, join } = await givenCoverage(server)
  const kim = await join()
  await kim.call(claimFloor, { body: { floorId: org.floors[1] } })

  const own = await join({ floorUid: org.floors[1], firstName: 'Ada' })

  const { claims } = await kim.call(getBrief, {})
  expect(claims).toMatchObject([{ name: 'Level 1', own_warden: own.name }])
})

test('COV-13 COV-04 a claim of a building that is covered whole ends with the building', async ({ server }) => {
  const { org, join, managerUid, eventUid } = await givenCoverage(server)
  const kim = await join()
  await server.db
    .insertInto('eventBuilding')
    .values({ clientUid: org.clientUid, eventUid, buildingUid: org.otherBuildingUid })
    .execute()
  await server.db
    .updateTable('wardenSignIn')
    .set({ onDuty: false, offDutyAt: new Date() })
    .where('uid', '=', managerUid)
    .execute()

  const { gaps } = await kim.call(getFloorCoverage, {})
  const whole = gaps.find(({ whole_building }) => whole_building)
  // a floor of it stands for the building
  const { claim } = await kim.call(claimFloor, { body: { floorId: org.otherFloorUid } })

  expect(whole).toMatchObject({ id: org.otherBuildingUid, name: 'Tower B' })
  expect(claim).toMatchObject({ id: org.otherBuildingUid, whole_building: true })
  await server.db
    .updateTable('eventBuilding')
    .set({ active: false, removedAt: new Date() })
    .where('buildingUid', '=', org.otherBuildingUid)
    .execute()
  expect((await kim.call(getBrief, {})).claims).toEqual([])
})

test('COV-14 COV-10 no one off duty, without the module or of another event takes a floor', async ({ server }) => {
  const { org, join } = await givenCoverage(server)
  const other = await givenCoverage(server)
  const [kim, without] = [await join(), await join({ modules: ['Module_Wardens_On_Duty'] })]
  const claim = (call: typeof kim.call, floorId: typeof org.floorUid) => call(claimFloor, { body: { floorId } })

  await expect(claim(without.call, org.floors[1])).rejects.toMatchObject({ status: 403 })
  await expect(claim(kim.call, other.org.floors[1])).rejects.toMatchObject({ status: 404 })
  await kim.call(logout, {})
  await expect(claim(await server.as(kim.warden), org.floors[1])).rejects.toMatchObject({ code: 'not_on_duty' })
  await other.manager(endEvent, endInput(other.org))
  await expect(claim(other.manager, other.org.floors[1])).rejects.toMatchObject({ status: 409 })
})

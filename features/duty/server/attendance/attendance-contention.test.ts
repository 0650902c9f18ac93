import { expect } from 'vitest'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import type { AttendanceCounts } from '#kernel/vocabulary.ts'
import type { Warden } from '#server/testing/given-wardens.ts'
import { crowdedTest as test } from '#server/testing/server-test.ts'
import type { BuildingStatus } from '../../calls/attendance.ts'
import { attendanceGiven, onDutyOf, statusOf } from './wardens-on-duty.fixture.ts'

const sum = ({ on_duty, unknown, not_available, off_duty }: AttendanceCounts) =>
  on_duty + unknown + not_available + off_duty

/** What an answer says in more than one way; the same each time when it does not contradict itself. */
function saidTwice({ buildings, selected_building: { wardens, floors } }: BuildingStatus) {
  const { total, ...counts } = wardens
  const listed = floors.flatMap((floor) => floor.wardens)
  return {
    totals: [total, sum(counts), listed.length],
    onDuty: [counts.on_duty, listed.filter(({ status }) => status === 'On Duty').length],
    byFloor: [floors.reduce((all, { wardens_on_duty_count }) => all + wardens_on_duty_count, 0), counts.on_duty],
    select: [buildings.find(({ selected }) => selected)?.total, counts],
  }
}

test('FWS-20 DUTY-13 two hundred times on and off duty while both screens are read: no answer contradicts itself, the last is right', async ({
  server,
}) => {
  const { warden, start } = await attendanceGiven(server)
  const wardens: Warden[] = []
  for (let i = 0; i < 20; i++) wardens.push(await warden(`W${i}`, 'unknown'))
  const { manager, eventUid } = await start()

  let done = false
  const toggling = Promise.all(
    wardens.map(async (who, i) => {
      for (let round = 0; round < 5; round++) await (await server.onDuty(who))(logout, {})
      if (i % 2) await server.onDuty(who)
    }),
  ).finally(() => {
    done = true
  })
  let reads = 0
  while (!done) {
    const said = saidTwice(await statusOf(manager))
    for (const [one, ...others] of Object.values(said)) for (const other of others) expect(other).toEqual(one)
    const { roles, buildings } = await onDutyOf(manager)
    const listed = roles.flatMap((role) => role.wardens).length
    expect([sum(buildings[0]?.total as AttendanceCounts), listed]).toEqual([21, 21])
    reads++
  }
  await toggling

  const counts = { on_duty: 11, unknown: 0, not_available: 0, off_duty: 10 }
  expect((await statusOf(manager)).selected_building.wardens).toEqual({ total: 21, ...counts })
  expect((await onDutyOf(manager)).buildings[0]?.total).toEqual(counts)
  const signIns = server.db.selectFrom('wardenSignIn').select(['onDuty']).where('eventUid', '=', eventUid)
  expect((await signIns.execute()).filter(({ onDuty }) => onDuty)).toHaveLength(counts.on_duty)
  expect(reads).toBeGreaterThan(5)
}, 60_000)

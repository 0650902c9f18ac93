import { expect } from 'vitest'
import { setFloorStatus, setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { listTimeline } from '#features/records/calls/records.ts'
import { actionsInWords } from '#features/records/doing.ts'
import { givenDrilled, writeRecords } from '#features/records/server/records.fixture.ts'
import type { Action } from '#kernel/actions.ts'
import { test } from '#server/testing/server-test.ts'
import { withKey } from '#server/testing/test-server.ts'
import { changeAction } from '../calls/events.ts'
import { floorOf } from './actions.fixture.ts'

test('RESP-08 RESP-11 a record says to what the action changed, and a floor that was cleared before is done only once it is locked', async ({
  server,
}) => {
  const { org, persons, manager, start, end, record, warden } = await givenDrilled(server)
  const eventUid = await start({ kind: 'live' })
  const ada = await warden()
  const [ground, level1] = org.floors
  await ada.clear(ground)
  await ada.clear(level1)
  await ada.mark(`${persons[1]}`, 'in danger')
  const body = {
    event: eventUid,
    buildings: [org.buildingUid],
    message: 'Hide.',
    broadcastMessage: 'no',
    again: 'yes',
  } as const
  const change = async (action: Action, base: string | null) =>
    (await manager(changeAction, { body: { ...body, buildings: [org.buildingUid], action, base } }, withKey())).change
  const locked = await change('lockdown', null)
  const set = async (name: string) => {
    const { floor_status } = await floorOf(ada.call, ground)
    const floorStatusId = floor_status.find((one) => one.name === name)?.id as never
    await ada.call(setFloorStatus, { body: { floorId: ground, floorStatusId } })
  }
  await set('Locked')
  await ada.mark(`${persons[0]}`, 'in danger')
  await change('release', locked)
  await set('Released')
  await end()
  await writeRecords(server)

  const { record: written } = await record(eventUid)
  if (!written) throw new Error('no record')
  const row = (name: string) => written.floors.rows.find((one) => one.name === name)
  expect([row('Ground')?.clear, row('Level 1')?.clear]).toEqual([expect.any(Number), null])
  // a report before the change is none of the lockdown
  expect(row('Level 1')).toMatchObject({ first_clear: null, status: 'Not locked' })
  expect(actionsInWords(written)).toMatch(/^Evacuate \d\d:\d\d; Lockdown \d\d:\d\d; All clear \d\d:\d\d$/)
  expect(written.result).toMatchObject({ voice: 'stay' })
  const sentence = (number: number) => written.sentences.filter((one) => one.number === number).map(({ text }) => text)
  expect(sentence(25)).toEqual([
    expect.stringMatching(/^At \d\d:\d\d the action in Tower A changed from Evacuate to Lockdown\.$/),
    expect.stringMatching(/^At \d\d:\d\d the action in Tower A changed from Lockdown to All clear\.$/),
  ])
  expect(sentence(6)[0]).toMatch(/^1 of \d floors was reported locked; the last was Tower A - Ground after /)
  expect(written.decisions.map(({ action, by }) => [action, by?.name.split(' ')[0]])).toContainEqual([
    'action_changed',
    'Chief',
  ])
  const { entries } = await manager(listTimeline, { params: { eventUid }, query: {} } as never)
  const lines = entries.map(({ what }) => what).filter((what) => /action|[Dd]anger|help/.test(what))
  expect(lines.map((what) => what.replace(/^.*?: (?=Needs|In|Danger)|, Tower A - .*/g, ''))).toEqual([
    ...['In Danger', 'Changed the action in Tower A to Lockdown: “Hide.”', 'Needs help'],
    'Changed the action in Tower A to All clear: “Hide.”',
  ])
})

test('RESP-08 RESP-09 RESP-11 of two managers who change one of two buildings at once one does: there danger stands and safe is unknown, and the record names both actions', async ({
  server,
}) => {
  const { org, persons, manager, start, end, record, warden } = await givenDrilled(server)
  const away = Object.assign({}, org, { buildingUid: org.otherBuildingUid, floorUid: org.otherFloorUid })
  const other = await server.as(await server.given.warden(org, { role: 'Chief Warden', firstName: 'Second' }))
  const there = await server.given.warden(away)
  const elsewhere = await server.given.occupant(org, { floorUid: org.otherFloorUid })
  const buildings = [org.buildingUid, org.otherBuildingUid]
  const eventUid = await start({ kind: 'live', buildings })
  const ada = await warden()
  await ada.mark(`${persons[0]}`, 'safe on floor')
  await ada.mark(`${persons[1]}`, 'in danger')
  const inTowerB = await server.onDuty(there)
  await inTowerB(setPersonStatus, {
    body: { personId: elsewhere, status: 'safe on floor', floorId: org.otherFloorUid },
  })
  const said = { message: 'Hide.', broadcastMessage: 'no', again: 'yes', base: null } as const
  const body = { event: eventUid, buildings: [org.buildingUid], action: 'lockdown' as const }
  const change = (by: typeof manager) => by(changeAction, { body: Object.assign({}, body, said) }, withKey())

  const answers = await Promise.allSettled([change(manager), change(other)])

  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const stands = await Promise.all(
    [persons[0], persons[1], elsewhere].map(async (uid) => (await server.evacueeOf(eventUid, uid as never))?.status),
  )
  expect(stands).toEqual(['unknown', 'danger', 'safe'])
  await end({ buildings })
  await writeRecords(server)
  const { record: written } = await record(eventUid)
  if (!written) throw new Error('no record')
  expect(actionsInWords(written)).toMatch(/^Evacuate \d\d:\d\d; Lockdown \d\d:\d\d, Tower A$/)
  expect(written.sentences.filter(({ number }) => number === 25)).toHaveLength(1)
})

test('RESP-01 RESP-11 a lockdown is compared with the last lockdown, not with the evacuation after it', async ({
  server,
}) => {
  const { org, start, end, record } = await givenDrilled(server)
  await server.db
    .updateTable('eventType')
    .set({ action: 'lockdown' })
    .where('uid', '=', org.otherEventTypeUid)
    .execute()
  const drilled = async (eventType = org.eventTypeUid) => {
    const eventUid = await start({ eventType })
    await end()
    await writeRecords(server)
    return (await record(eventUid)).record
  }
  const first = await drilled(org.otherEventTypeUid)
  await drilled()
  const second = await drilled(org.otherEventTypeUid)

  expect(second?.compared?.number).toBe(first?.number)
  expect(second?.floors.rows[0]?.status).toBe('Not locked')
  const evacuation = await drilled()
  expect(evacuation?.compared?.number).toBe(2)
  expect(JSON.stringify(evacuation)).not.toMatch(/"(actions|voice)"/)
})

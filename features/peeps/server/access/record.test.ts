import { expect } from 'vitest'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { listTimeline } from '#features/records/calls/records.ts'
import { givenDrilled, writeRecords } from '#features/records/server/records.fixture.ts'
import type { PersonUid } from '#kernel/ids.ts'
import { test } from '#server/testing/server-test.ts'
import { withKey } from '#server/testing/test-server.ts'
import { openEventPlan } from '../../calls/plan-access.ts'

test('PEEP-10 more than 20 plans of one reader are a line of the record, 20 are none; the timeline never says whose', async ({
  server,
}) => {
  const { org, persons, manager, start, end, record, warden } = await givenDrilled(server, 22)
  for (const person of persons) await server.given.peep(org, person)
  const eventUid = await start()
  const ada = await warden()
  const open = (call: typeof manager, personId: PersonUid) =>
    call(openEventPlan, { params: { personId }, body: { reason: 'helping', whole: 'no' } }, withKey())
  for (const person of persons.slice(0, 21)) await open(manager, person)
  // again and again one plan, and 20 of them: no line
  for (const person of [...persons.slice(0, 20), ...persons.slice(0, 20)]) await open(ada.call, person)
  await ada.call(setPersonStatus, {
    body: { personId: persons[0] as PersonUid, status: 'safe', floorId: org.floors[0] },
  })
  await end()
  await writeRecords(server)

  const { record: written } = await record(eventUid)

  expect(written?.plans.opened).toEqual([{ name: expect.stringMatching(/^Chief /), role: 'Chief Warden', plans: 21 }])
  expect(written?.sentences.at(-1)).toMatchObject({
    number: 17,
    evidence: 'plans',
    text: expect.stringMatching(/^Chief \d+ \(Chief Warden\) opened 21 evacuation plans\.$/),
  })
  const timeline = async (query: object) =>
    (await manager(listTimeline, { params: { eventUid }, query: { show: 'all', ...query } })).entries
  const opened = (await timeline({ action: 'plan_viewed' })).map(({ what }) => what)
  expect(new Set(opened)).toEqual(new Set(['Opened an evacuation plan']))
  const about = await timeline({ person: persons[0] })
  expect(about.map(({ action }) => action)).not.toContain('plan_viewed')
  expect(about.length).toBeGreaterThan(0)
})

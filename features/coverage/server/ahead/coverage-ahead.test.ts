import { expect } from 'vitest'
import { updateAssignmentStatus } from '#features/assignments/calls/assignments.ts'
import type { FloorUid } from '#kernel/ids.ts'
import { givenConsole } from '#server/testing/console-organisation.ts'
import { mailsTo, sendMails } from '#server/testing/mails.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { getCoverage } from '../../calls/coming-days.ts'
import {
  askForDay,
  getCoverageAhead,
  getOwnDays,
  listAskable,
  setOwnDay,
  takeForDay,
} from '../../calls/coverage-ahead.ts'
import { mailAboutTomorrow } from './coverage-ahead-mails.service.ts'

/** Sydney's organisation with a chief, and a floor warden of Tower A Ground. */
async function givenSite(server: TestServer) {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org, { firstName: 'Ada' })
  const chief = await server.given.warden(org, { role: 'Chief Warden', firstName: 'Cid' })
  const [manager, own] = [await server.as(chief), await server.as(warden)]
  const coverage = (day?: string) => manager(getCoverageAhead, { query: day ? { day } : {} })
  const { days } = await coverage()
  const [today = '', tomorrow = ''] = days.map(({ day }) => day)
  const towerA = async (day: string) => (await coverage(day)).buildings[0]?.floors ?? []
  return { org, warden, chief, manager, own, coverage, towerA, today, tomorrow }
}

test('COV-20 COV-21 floors of eight days from the highest down, with who accepted and how many are asked; the console shows the same', async ({
  server,
}) => {
  const { org, call } = await givenConsole(server)
  await server.given.warden(org, { firstName: 'Ada' })
  await server.given.warden(org, { firstName: 'Ben', floorUid: org.floors[1], status: 'Offered' })
  await server.given.warden(org, { firstName: 'Cal', floorUid: org.floors[1], dateTo: '2021-12-31' })
  const manager = await server.as(await server.given.warden(org, { role: 'Chief Warden' }))

  const { days, day, buildings, has_floor_wardens } = await manager(getCoverageAhead, { query: {} })

  expect(buildings.map(({ name }) => name)).toEqual(['Tower A', 'Tower B'])
  expect(buildings[0]?.floors.map(({ name, wardens, offered }) => [name, wardens, offered])).toEqual([
    ['Level 2', [], 0],
    ['Level 1', [], 1],
    ['Ground', [expect.stringMatching(/^Ada /)], 0],
  ])
  const ofConsole = await call(getCoverage, { query: { site: org.siteUid } })
  expect([days, day, has_floor_wardens]).toEqual([ofConsole.days.slice(0, 8), ofConsole.day, true])
  expect(await refused(manager(getCoverageAhead, { query: { day: '2021-12-31' } }))).toEqual(['invalid_request'])
})

test("COV-22 COV-21 a day 'Not in' takes the floor's warden away here and in the console, and attendance stays", async ({
  server,
}) => {
  const { org, warden, own, towerA, today, tomorrow } = await givenSite(server)
  const mark = (day: string, is: 'yes' | 'no') => own(setOwnDay, { body: { day, in: is } })
  const ground = async (day: string) => (await towerA(day)).at(-1)?.wardens.length

  const { day } = await mark(tomorrow, 'no')
  await mark(tomorrow, 'no')

  expect(day).toEqual({ day: tomorrow, in: false, places: ['Tower A - Ground'] })
  expect([await ground(today), await ground(tomorrow)]).toEqual([1, 0])
  const { days } = await own(getOwnDays, {})
  expect(days.map((one) => one.in)).toEqual([true, false, ...Array(12).fill(true)])
  await mark(tomorrow, 'yes')
  expect(await ground(tomorrow)).toBe(1)

  await mark(today, 'no')
  const { eventUid } = await server.runningEvent(org)
  await server.onDuty(warden)
  expect(await server.signInOf(eventUid, warden)).toMatchObject({ onDuty: true })
})

test('COV-22 a day without an assignment has no buttons, and a day out of the fourteen is not taken', async ({
  server,
}) => {
  const { org, today, tomorrow } = await givenSite(server)
  const visiting = await server.as(await server.given.warden(org, { dateFrom: today, dateTo: today }))

  const { days } = await visiting(getOwnDays, {})

  expect(days.slice(0, 2).map(({ places }) => places.length)).toEqual([1, 0])
  const mark = (day: string) => visiting(setOwnDay, { body: { day, in: 'no' } })
  expect(await refused(mark(tomorrow), mark('2021-12-31'), mark('9999-99-99'))).toEqual([
    'not_found',
    'invalid_request',
    'invalid_request',
  ])
})

test("COV-23 who may take a floor: near and free first, site roles and managers last, who is 'Not in' not at all", async ({
  server,
}) => {
  const { org, manager, tomorrow } = await givenSite(server)
  const { given } = server
  await given.warden(org, { firstName: 'Bea', floorUid: org.floors[1] })
  await given.warden(org, { firstName: 'Eve', floorUid: org.otherFloorUid })
  await given.warden(org, { firstName: 'Flo', floorUid: org.otherFloorUid })
  const away = await server.as(await given.warden(org, { firstName: 'Gil', floorUid: org.floors[1] }))
  await away(setOwnDay, { body: { day: tomorrow, in: 'no' } })

  const { people } = await manager(listAskable, { query: { floorId: org.floors[2], day: tomorrow } })

  expect(people.map(({ name, why }) => [name.split(' ')[0], why])).toEqual([
    ['Eve', 'has another warden, another building'],
    ['Flo', 'has another warden, another building'],
    ['Bea', 'Level 1, 1 floor away'],
    ['Ada', 'Ground, 2 floors away'],
    ['Cid', 'no floor of their own'],
  ])
})

test("COV-23 an offer of one day is told by mail and accepted on the card; a second one answers 'Already asked.'", async ({
  server,
}) => {
  const { org, warden, manager, own, towerA, tomorrow } = await givenSite(server)
  const ask = () => manager(askForDay, { body: { floorId: org.floors[1], day: tomorrow, personId: warden.personUid } })

  const answers = await Promise.allSettled([ask(), ask(), ask()])

  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(answers.find((one) => one.status === 'rejected')?.reason).toMatchObject({
    code: 'invalid_transition',
    message: 'Already asked.',
  })
  expect((await towerA(tomorrow))[1]).toMatchObject({ name: 'Level 1', wardens: [], offered: 1 })
  await sendMails(server)
  const [mail, ...others] = await mailsTo(server, warden.email)
  expect([mail?.subject, others]).toEqual([expect.stringMatching(/asks you to be Floor Warden$/), []])
  const { people } = await manager(listAskable, { query: { floorId: org.floors[1], day: tomorrow } })
  expect(people.find(({ person }) => person === warden.personUid)?.asked).toBe(true)

  const link = /warden-assignment\/([0-9a-f-]+)/.exec(mail?.body ?? '')?.[1] as never
  await own(updateAssignmentStatus, { body: { Warden_Assignment_UID: link, Assignment_Status: 'Accepted' } })
  expect((await towerA(tomorrow))[1]?.wardens).toEqual([expect.stringMatching(/^Ada /)])
})

test('COV-24 floors within two levels are offered for today and tomorrow; of many who take one, one has it', async ({
  server,
}) => {
  const { org, own, towerA, today, tomorrow } = await givenSite(server)
  const others = await Promise.all(
    Array.from({ length: 5 }, async () => server.as(await server.given.warden(org, { firstName: 'Oda' }))),
  )
  const take = (call: typeof own, floorId: FloorUid, day = tomorrow) => call(takeForDay, { body: { floorId, day } })
  const { near } = await own(getOwnDays, {})
  expect(near.map(({ name, day }) => [day, name])).toEqual([
    [today, 'Level 1'],
    [today, 'Level 2'],
    [tomorrow, 'Level 1'],
    [tomorrow, 'Level 2'],
  ])

  const answers = await Promise.allSettled(others.map((call) => take(call, org.floors[1])))

  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const one of answers)
    if (one.status === 'rejected')
      expect(one.reason).toMatchObject({
        code: 'floor_taken',
        message: expect.stringMatching(/^Oda \d+ has just taken it\. Thank you\.$/),
      })
  await take(own, org.floors[2])
  await take(own, org.floors[1], today)
  expect((await towerA(tomorrow)).map(({ wardens }) => wardens.length)).toEqual([1, 1, 6])
  expect((await towerA(today)).map(({ wardens }) => wardens.length)).toEqual([0, 1, 6])
  expect(await refused(take(own, org.otherFloorUid), take(own, org.floors[1], '2021-12-31'))).toEqual([
    'not_found',
    'invalid_request',
  ])
})

test('COV-24 a second floor of one day is added to the first', async ({ server }) => {
  const { org, own, towerA, tomorrow } = await givenSite(server)

  for (const floorId of [org.floors[1], org.floors[2]]) await own(takeForDay, { body: { floorId, day: tomorrow } })

  expect((await towerA(tomorrow)).map(({ wardens }) => wardens.length)).toEqual([1, 1, 1])
  const { days } = await own(getOwnDays, {})
  expect(days[1]?.places).toEqual(['Tower A - Ground', 'Tower A - Level 1', 'Tower A - Level 2'])
})

test('COV-25 at 15:00 at the site each event manager gets one mail about tomorrow, over a clock change too', async ({
  server,
}) => {
  const { chief } = await givenSite(server)
  const mailing = { ...server, system: server.database.system.db, jobs: server.app.jobs }
  const at = (time: string) => mailAboutTomorrow(mailing, fail, new Date(time))
  const subjects = async () => {
    await server.db
      .updateTable('mail')
      .set({ validUntil: new Date(Date.now() + 60_000) })
      .execute()
    await sendMails(server)
    return (await mailsTo(server, chief.email)).map(({ subject }) => subject)
  }

  await at('2027-04-03T03:59:00Z') // 14:59 in Sydney, the day before its clocks go back
  expect(await subjects()).toEqual([])
  await Promise.all(['04:00', '04:00', '04:30', '06:59'].map((time) => at(`2027-04-03T${time}:00Z`)))
  await at('2027-04-03T08:00:00Z')

  expect(await subjects()).toEqual(['3 floors without a warden tomorrow'])
  await at('2027-04-04T04:59:00Z') // 14:59 after the change
  expect(await subjects()).toHaveLength(1)
  await at('2027-04-04T05:00:00Z')
  expect(await subjects()).toHaveLength(2)
  const [mail] = await mailsTo(server, chief.email)
  expect(mail?.body).toContain('Tower A - Level 2\nTower A - Level 1\nTower B - Ground\n')
  expect(mail?.body).toContain('/coverage?day=2027-04-04')
})

test('COV-25 no mail during an event, where no one has a floor, or where the organisation wants none', async ({
  server,
}) => {
  const [inEvent, unwilling] = [await givenSite(server), await givenSite(server)]
  await server.runningEvent(inEvent.org)
  await server.db
    .updateTable('client')
    .set({ coverageMail: false })
    .where('uid', '=', unwilling.org.clientUid)
    .execute()
  const bare = await server.given.organisation()
  const alone = await server.given.warden(bare, { role: 'Chief Warden' })
  const mailing = { ...server, system: server.database.system.db, jobs: server.app.jobs }

  await mailAboutTomorrow(mailing, fail, new Date('2027-05-03T05:30:00Z'))

  await sendMails(server)
  for (const { email } of [inEvent.chief, unwilling.chief, alone]) expect(await mailsTo(server, email)).toEqual([])
})

function fail(error: unknown) {
  throw error
}

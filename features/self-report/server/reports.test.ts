import { expect } from 'vitest'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import type { SelfReportUid } from '#kernel/ids.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { withKey } from '#server/testing/test-server.ts'
import { acceptReports, dismissReports, listReports } from '../calls.ts'
import { noFloor } from '../kinds.ts'
import { eventWithReports, newNetwork, newSite } from './self-report.fixture.ts'

test('REC-27 NUM-07 a person is proposed where mobile, or whole name and floor, names exactly one who is unknown', async ({
  server,
}) => {
  const { post, list, org, ada, ben, cy, mobiles, asFay } = await eventWithReports(server)
  await server.given.occupant(org, { firstName: 'Late', lastName: 'Comer' })
  const place = org.floorUid.slice(0, 8)
  const elsewhere = org.floors[1].slice(0, 8)
  await asFay(setPersonStatus, { body: { personId: cy, status: 'in danger', floorId: org.floorUid } })
  const [, bens] = mobiles
  // in the order of the list, and whom each names
  const told: [Record<string, string>, unknown][] = [
    [{ name: 'ada abara', place }, ada],
    [{ name: ' ADA  Ábara', place }, ada],
    [{ name: 'Ada Abara', place: elsewhere }, undefined],
    [{ name: 'Ada Abara' }, undefined],
    [{ name: 'Ada', place }, undefined],
    [{ mobile: `+${bens}` }, ben],
    [{ mobile: `0${bens.slice(2, 5)} ${bens.slice(5)}` }, ben],
    [{ mobile: '0491 570 006' }, undefined],
    [{ name: 'Ada Abara', place, mobile: `+${bens}` }, undefined],
    [{ name: 'Cy Cole', place }, undefined],
    [{ name: 'Late Comer', place }, undefined],
  ]
  for (const [form] of told) await post({ say: 'safe', ...form })

  const { reports, naming } = await list()

  expect(reports.map(({ person }) => person?.id)).toEqual(told.map(([, person]) => person))
  expect(naming).toBe(4)
})

test('REC-27 accepted it is the record of the warden, seen when it was reported; a second acceptance reads by whom', async ({
  server,
}) => {
  const { post, list, act, org, ada, ben, manager, statusOf, eventUid } = await eventWithReports(server)
  await post({ say: 'safe', name: 'Ada Abara', place: org.floorUid.slice(0, 8) })
  await post({ say: 'safe', name: 'Benny' })
  const [first, second] = (await list()).reports

  const accept = () => act(first?.uid as SelfReportUid, { act: 'accept' })
  expect(await refused(...Array.from({ length: 6 }, accept))).toEqual(
    expect.arrayContaining(['answered', ...Array(5).fill('invalid_transition')]),
  )
  await expect(accept()).rejects.toThrow(/^Fay \d+ has handled this report\.$/)
  await expect(act(second?.uid as SelfReportUid, { act: 'accept' })).rejects.toThrow('names no one')
  const { report } = await act(second?.uid as SelfReportUid, { act: 'accept', person: ben }, manager)

  expect(report).toMatchObject({ state: 'accepted', person: { id: ben, status: 'safe' }, handled: { who: null } })
  expect([await statusOf(ada), await statusOf(ben)]).toEqual(['safe', 'safe'])
  const set = (await server.journalOf(ada)).filter(({ action }) => action === 'evacuee_status_set')
  expect(set).toMatchObject([{ actorPersonUid: expect.any(String), after: { status: 'safe', superseded: false } }])
  const row = await server.evacueeOf(eventUid, ada)
  expect(row?.statusObservedAt?.toISOString().slice(0, 22)).toBe(first?.at.slice(0, 22))
  expect((await list()).open).toBe(0)
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('REC-27 a danger that a warden saw after the report stands, and the report stays open', async ({ server }) => {
  const { post, list, act, org, ada, asFay, statusOf } = await eventWithReports(server)
  await post({ say: 'safe', name: 'Somebody' })
  const uid = (await list()).newest as SelfReportUid
  await asFay(setPersonStatus, { body: { personId: ada, status: 'in danger', floorId: org.floorUid } })

  await expect(act(uid, { act: 'accept', person: ada })).rejects.toThrow('recorded in danger since')

  expect([await statusOf(ada), (await list()).open]).toEqual(['danger', 1])
})

test("REC-28 a call for help is closed by 'Answered', by 'False alarm', or by recording a person as in danger from it", async ({
  server,
}) => {
  const { post, list, act, org, ben, statusOf, eventUid } = await eventWithReports(server)
  const place = org.floors[2].slice(0, 8)
  for (const words of ['one', 'two', 'three']) await post({ say: 'help', words, place })
  await post({ say: 'safe', name: 'Kim' })
  const { reports } = await list()
  const [one, two, three, safe] = reports.map(({ uid }) => uid) as [
    SelfReportUid,
    SelfReportUid,
    SelfReportUid,
    SelfReportUid,
  ]

  expect(
    await refused(
      act(one, { act: 'dismiss' }),
      act(safe, { act: 'answered' }),
      act(safe, { act: 'false' }),
      act(one, { act: 'false', who: 'Engine 4' }),
    ),
  ).toEqual(['invalid_transition', 'invalid_transition', 'invalid_transition', 'invalid_request'])
  const answered = await act(one, { act: 'answered', who: ' Engine 4 ' })
  expect(answered.report).toMatchObject({
    state: 'answered',
    handled: { who: 'Engine 4', by: expect.stringMatching(/^Fay/) },
  })
  await act(two, { act: 'false' })
  await act(three, { act: 'accept', person: ben })
  await act(safe, { act: 'dismiss' })

  expect([await statusOf(ben), (await server.evacueeOf(eventUid, ben))?.floorUid]).toEqual(['danger', org.floors[2]])
  expect(await list()).toMatchObject({ open: 0, help: 0, reports: [] })
  const handled = (await list({ state: 'handled' })).reports
  expect(handled.map(({ state }) => state)).toEqual(['dismissed', 'accepted', 'false', 'answered'])
  const told = (await server.journalOf(eventUid)).filter(({ action }) => action.startsWith('self_report'))
  expect(
    told
      .filter(({ action }) => action === 'self_report_handled')
      .map(({ after }) => (after as { state: string }).state),
  ).toEqual(['answered', 'false', 'accepted', 'dismissed'])
  expect(JSON.stringify(told)).not.toMatch(/Engine|Kim|three/)
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

/** Reports of people by name and floor, each of a network of its own. */
async function many(server: Parameters<typeof eventWithReports>[0], count: number, { report = true } = {}) {
  const around = await eventWithReports(server)
  const { org, eventUid } = around
  const people = await server.given.occupants(org, count)
  await server.database.owner.pg.query(
    `insert into evacuee (client_uid, event_uid, person_uid, building_uid, floor_uid, home_building_uid, home_floor_uid, sort_name)
     select client_uid, $2, uid, $3, $4, $3, $4, last_name from person where client_uid = $1 and uid = any ($5) on conflict do nothing`,
    [org.clientUid, eventUid, org.buildingUid, org.floorUid, people],
  )
  await server.database.owner.pg.query(
    `update tally set unknown = unknown + $3 where event_uid = $1 and place_uid = $2`,
    [eventUid, org.floorUid, count],
  )
  if (!report) return { ...around, people }
  await server.database.owner.pg.query(
    `insert into self_report (client_uid, event_uid, way, status, said_name, building_uid, floor_uid, network, form_key, at)
     select $1, $2, 'poster', 'safe', p.name, $3, $4, 'n' || row_number() over (),
       decode(md5(p.uid::text), 'hex'), steady_now() from person p where p.uid = any ($5)`,
    [org.clientUid, eventUid, org.buildingUid, org.floorUid, people],
  )
  return { ...around, people }
}

test("REC-27 'Accept all' of 300 by two wardens at once: each once, never a call for help, never someone in danger", {
  timeout: 60_000,
}, async ({ server }) => {
  const { people, list, manager, asFay, org, post, eventUid } = await many(server, 300)
  const [endangered, twice] = people as [never, never]
  await asFay(setPersonStatus, { body: { personId: endangered, status: 'in danger', floorId: org.floorUid } })
  await post({ say: 'safe', name: 'Occupant 0002', place: org.floorUid.slice(0, 8) })
  const { newest, naming } = await list()
  expect(naming).toBe(300)
  await post({ say: 'help', name: 'Occupant 0003', place: org.floorUid.slice(0, 8) })
  await post({ say: 'safe', name: 'Occupant 0004', place: org.floorUid.slice(0, 8) })
  const acceptAll = (by: typeof asFay) => by(acceptReports, { body: { upTo: newest as SelfReportUid } }, withKey())

  const answers = await Promise.all([acceptAll(asFay), acceptAll(manager), acceptAll(asFay)])

  expect(answers.map(({ accepted }) => accepted).toSorted((a, b) => b - a)).toEqual([300, 0, 0])
  const rows = await server.db
    .selectFrom('evacuee')
    .select(['status', 'personUid'])
    .where('eventUid', '=', eventUid)
    .where('personUid', 'in', people)
    .execute()
  expect(rows.filter(({ status }) => status === 'safe')).toHaveLength(299)
  expect(rows.find(({ personUid }) => personUid === endangered)?.status).toBe('danger')
  const records = (await server.journalOf(twice)).filter(({ action }) => action === 'evacuee_status_set')
  expect(records).toHaveLength(1)
  // the call, the later one, and that of someone in danger
  expect(await list()).toMatchObject({ open: 3, help: 1, naming: 0 })
  const wrong = await wrongTallies(server.db, eventUid)
  expect(wrong.filter(({ counted }) => !counted.includes('journal'))).toEqual([])
})

test("REC-27 'Accept all' takes 500 at most and says what is left", { timeout: 60_000 }, async ({ server }) => {
  const { acceptAll } = await many(server, 520)

  expect(await acceptAll()).toEqual({ accepted: 500, left: 20 })
  expect(await acceptAll()).toEqual({ accepted: 20, left: 0 })
})

test("REC-27 T46 over 20 of one network are one entry, which 'Accept all' takes only when it is named", async ({
  server,
}) => {
  const { post, list, acceptAll, fill, org, ada, statusOf } = await eventWithReports(server)
  const network = newNetwork()
  await post({ say: 'safe', name: 'Ada Abara', place: org.floorUid.slice(0, 8) }, network)
  const site = `'${network.replace(/\d+$/, '0/24')}'`
  await fill(19, {
    status: "case when i = 1 then 'help' else 'safe' end",
    network: `'${network}'`,
    home: `'${network}'`,
    site,
  })
  expect(await list()).toMatchObject({ open: 20, groups: [], naming: 1 })
  await post({ say: 'safe', name: 'The twenty-first' }, network)

  const grouped = await list()
  expect(grouped).toMatchObject({
    open: 21,
    help: 1,
    naming: 0,
    reports: [],
    groups: [{ count: 21, help: 1, naming: 1 }],
  })
  const [group] = grouped.groups
  expect(JSON.stringify(grouped)).not.toContain(network)
  expect(await acceptAll()).toEqual({ accepted: 0, left: 0 })
  expect(await statusOf(ada)).toBe('unknown')
  const within = await list({ network: group?.network as string })
  expect(within).toMatchObject({ naming: 1, next: expect.any(String) })
  expect(within.reports).toHaveLength(20)
  const rest = await list({ network: group?.network as string, after: within.next as SelfReportUid })
  expect([rest.reports.length, rest.next]).toEqual([1, null])
  expect(await acceptAll(undefined, group?.network)).toEqual({ accepted: 1, left: 0 })
  expect(await statusOf(ada)).toBe('safe')
  expect(await refused(list({ network: 'nobody' }))).toEqual(['not_found'])
})

test("NET-01 REC-27 forty names from forty lines of one site are one entry, which 'Accept all' leaves out and 'Accept these' takes", async ({
  server,
}) => {
  const { people, list, acceptAll, post, org } = await many(server, 40, { report: false })
  const addressOf = newSite()
  const place = org.floorUid.slice(0, 8)
  const nameOf = (nth: number) => `Occupant ${String(nth + 1).padStart(4, '0')}`
  await Promise.all(
    people.map((_, nth) => post({ say: 'safe', name: nameOf(nth), place }, addressOf(Math.floor(nth / 4) * 256 + nth))),
  )

  const { naming, reports, groups } = await list()

  expect({ naming, reports, groups }).toMatchObject({ naming: 0, reports: [], groups: [{ count: 40, naming: 40 }] })
  expect(await acceptAll()).toEqual({ accepted: 0, left: 0 })
  const network = groups[0]?.network as string
  const answers = await Promise.all([acceptAll(undefined, network), acceptAll(undefined, network)])
  expect(answers.map(({ accepted }) => accepted).toSorted((a, b) => b - a)).toEqual([40, 0])
  expect(await list()).toMatchObject({ open: 0, groups: [] })
})

test('NET-01 REC-27 six that name people within two minutes are one entry, five are not; a quiet neighbour stands beside it', async ({
  server,
}) => {
  const { post, list, org } = await many(server, 7, { report: false })
  const addressOf = newSite()
  const place = org.floorUid.slice(0, 8)
  const say = (nth: number) => post({ say: 'safe', name: `Occupant 000${nth}`, place }, addressOf(1))
  for (const nth of [1, 2, 3, 4, 5]) await say(nth)
  expect(await list()).toMatchObject({ naming: 5, groups: [] })
  await post({ say: 'help', words: 'Next door' }, addressOf(2))
  await say(6)

  expect(await list()).toMatchObject({
    open: 7,
    naming: 0,
    reports: [{ words: 'Next door' }],
    groups: [{ count: 6, help: 0, more: 0, naming: 6 }],
  })
})

test("REC-32 'Dismiss all' of a network by two wardens at once: each once, calls for help only if the warden says so, later ones stay", async ({
  server,
}) => {
  const { post, fill, list, dismissAll, manager, asFay, eventUid } = await eventWithReports(server)
  const network = newNetwork()
  const from = { network: `'${network}'`, home: `'${network}'`, site: `'${network.replace(/\d+$/, '0/24')}'` }
  await fill(1200, from)
  await fill(3, { status: "'help'", ...from })
  await post({ say: 'safe', name: 'From elsewhere' })
  const { groups, newest } = await list()
  expect(groups).toMatchObject([{ count: 1203, help: 3 }])
  const named = groups[0]?.network as string
  await post({ say: 'help', words: 'Later' }, network)
  const dismiss = (by: typeof asFay) =>
    by(dismissReports, { body: { upTo: newest as SelfReportUid, network: named, calls: 'keep' } }, withKey())

  const answers = [...(await Promise.all([dismiss(asFay), dismiss(manager)])), await dismiss(asFay)]

  expect(answers.reduce((sum, { dismissed }) => sum + dismissed, 0)).toBe(1200)
  expect(answers.at(-1)?.left).toBe(0)
  expect(await list()).toMatchObject({ open: 5, help: 4 })
  expect(await list({ network: named })).toMatchObject({
    chosen: { count: 4, help: 4 },
    reports: [{}, {}, {}, { words: 'Later' }],
  })
  expect(await dismissAll({ calls: 'false', network: named })).toEqual({ dismissed: 4, left: 0 })
  expect(await list()).toMatchObject({ open: 1, reports: [{ name: 'From elsewhere' }] })
  const states = (await server.journalOf(eventUid)).filter(({ action }) => action === 'self_report_handled')
  expect(
    Object.entries(Object.groupBy(states, ({ after }) => String((after as { state: string }).state))).map(
      ([state, of]) => [state, of?.length],
    ),
  ).toEqual([
    ['dismissed', 1200],
    ['false', 4],
  ])
})

test("REC-32 'Dismiss all' of a floor ends a flood from many networks and leaves other floors; without either it is refused", async ({
  server,
}) => {
  const { post, fill, list, dismissAll, org } = await eventWithReports(server)
  const [, floor] = org.floors
  await fill(50, { building_uid: `'${org.buildingUid}'`, floor_uid: `'${floor}'` })
  await post({ say: 'safe', name: 'Elsewhere', place: org.floors[2].slice(0, 8) })
  expect(await list({ floor })).toMatchObject({ open: 51, chosen: { count: 50, help: 0 }, reports: Array(20).fill({}) })

  expect(await refused(dismissAll({ calls: 'keep' }))).toEqual(['invalid_request'])
  expect(await dismissAll({ calls: 'keep', network: 'nobody' })).toEqual({ dismissed: 0, left: 0 })
  expect(await dismissAll({ calls: 'keep', floor })).toEqual({ dismissed: 50, left: 0 })
  expect(await list()).toMatchObject({ open: 1, reports: [{ name: 'Elsewhere' }] })
})

test("REC-34 'Dismiss all' of those that name no floor ends a flood from many networks; floors, texts and calls stay", async ({
  server,
}) => {
  const { post, fill, list, dismissAll, acceptAll, org, mobiles } = await eventWithReports(server)
  // twenty of each of 250 sites: no network has too many
  const from = { network: "'n' || i % 250", site: "'s' || i % 250" }
  await fill(2500, from)
  await fill(2500, { ...from, building_uid: `'${org.buildingUid}'` })
  await post({ say: 'safe', name: 'Ada Abara', place: org.floorUid.slice(0, 8) })
  await post({ say: 'safe', mobile: `+${mobiles[1]}` })
  await post({ say: 'help', words: 'Stair B' })
  expect(await list()).toMatchObject({ open: 5003, groups: [], naming: 2 })
  expect(await list({ floor: noFloor })).toMatchObject({
    open: 5003,
    naming: 1,
    chosen: { count: 5002, help: 1 },
    reports: [{ words: 'Stair B' }, ...Array(19).fill({ floor: null })],
  })
  expect(await acceptAll(undefined, undefined, noFloor)).toEqual({ accepted: 1, left: 0 })

  const left: number[] = []
  do left.push((await dismissAll({ calls: 'keep', floor: noFloor })).left)
  while (left.at(-1) !== 0)

  expect(left).toEqual([4000, 3000, 2000, 1000, 0])
  expect(await list()).toMatchObject({ open: 2, help: 1, reports: [{ words: 'Stair B' }, { name: 'Ada Abara' }] })
  expect(await dismissAll({ calls: 'false', floor: noFloor })).toEqual({ dismissed: 1, left: 0 })
})

test('REC-27 calls for help come first, then the oldest, 20 a page', async ({ server }) => {
  const { post, list } = await eventWithReports(server)
  for (let nth = 0; nth < 22; nth++) await post({ say: 'safe', name: `Safe ${nth}` })
  await post({ say: 'help', words: 'Stair B' })

  const first = await list()
  const rest = await list({ after: first.next as SelfReportUid })

  const names = [...first.reports, ...rest.reports].map(({ name, words }) => name ?? words)
  expect(names).toEqual(['Stair B', ...Array.from({ length: 22 }, (_, nth) => `Safe ${nth}`)])
  expect([first.reports.length, rest.next]).toEqual([20, null])
})

test('REC-27 reports need Module_Evacuee_Safety', async ({ server }) => {
  const { org } = await eventWithReports(server)
  const viewer = await server.onDuty(await server.given.warden(org, { modules: ['Module_Building_Evacuation_Status'] }))

  expect(await refused(viewer(listReports, { query: { state: 'open' } }))).toEqual(['forbidden'])
})

test('KIND-13 a report of a drill that became live names no one', async ({ server }) => {
  const { post, list, org, eventUid } = await eventWithReports(server, { kind: 'drill' })
  await post({ say: 'safe', name: 'Ada Abara', place: org.floorUid.slice(0, 8) })
  expect((await list()).naming).toBe(1)

  const later = new Date(Date.now() + 1000)
  await server.db.updateTable('event').set({ countsFrom: later }).where('uid', '=', eventUid).execute()

  expect(await list()).toMatchObject({ open: 1, naming: 0, reports: [{ person: null }] })
})

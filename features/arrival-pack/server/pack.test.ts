import { expect } from 'vitest'
import { setFloorStatus, setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { endEvent } from '#features/events/calls/events.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import { endInput } from '#server/testing/event-input.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { withKey } from '#server/testing/test-server.ts'
import { endHazard, endPack, listPacks, makePack, noteHazard } from '../calls.ts'
import { eventWithPack, eventWithPeople, textOf, visitorOf } from './pack.fixture.ts'

const swapped = (words: string) => words.replace(/^(\d(?: of \d)?) (.*)$/, '$2 $1')
const gone = 'This page is no longer available. Ask the person in command.'

test('PACK-03 PACK-11 PACK-02 opening asks for a name and changes nothing; the form leads to an address of its own', async ({
  server,
}) => {
  const { make, manager, visitor, pathOf, eventUid } = await eventWithPack(server)
  const { url, uid } = await make()
  const start = pathOf(url)
  expect(start).toMatch(/^\/p\/[\w-]{22}$/)

  const asked = await visitor.get(start)
  const nonce = /name="form" value="([\w-]{22})"/.exec(asked.body)?.[1] ?? ''
  expect(textOf(asked.body)).toMatch(/Your name and unit .* Open as fire service$/)
  expect((await manager(listPacks, {})).readers).toEqual([])

  const answers = [
    await visitor.post(start, { name: ' Kim, Engine 4 ', form: nonce }),
    await visitor.post(start, { name: 'Kim, Engine 4', form: nonce }),
  ]
  const [own] = answers.map(({ headers }) => String(headers.location))
  expect(answers.map(({ status, headers }) => [status, headers.location])).toEqual([
    [303, own],
    [303, own],
  ])
  for (const _ of [1, 2]) expect((await visitor.get(own as string)).status).toBe(200)

  const { readers } = await manager(listPacks, {})
  expect(readers).toMatchObject([{ pack: uid, name: 'Kim, Engine 4', network: '203.0.113.0/24', times: 2 }])
  const told = (await server.journalOf(eventUid)).filter(({ action }) => action.startsWith('pack'))
  expect(told.map(({ action, after }) => [action, Object.keys(after as object)])).toEqual([
    ['pack_made', ['ends', 'pack']],
    ['pack_opened', ['pack']],
  ])
  expect(JSON.stringify(told)).not.toContain(start.slice(3))
})

test('PACK-04 PACK-05 PACK-07 PACK-09 the order of the page, its figures, and who said so when', async ({ server }) => {
  const { org, warden, manager, make, read } = await eventWithPeople(server, { kind: 'drill' })
  const [ada, bea] = org.people
  await warden(setPersonStatus, { body: { personId: ada as never, status: 'in danger', floorId: org.floorUid } })
  await warden(setPersonStatus, { body: { personId: bea as never, status: 'safe', floorId: org.floorUid } })
  await warden(setFloorStatus, { body: { floorId: org.floors[2], floorStatusId: org.statusUids[1] } })
  await manager(noteHazard, { body: { text: 'Gas <b>cylinders</b>', place: org.floors[1] } }, withKey())

  const page = await read((await make()).url)
  const text = textOf(page)

  const order = [
    ...['DRILL. This is an exercise.', 'Fire, ', 'Began ', 'As of ', 'It works until '],
    ...['1 In danger', '2 Unknown on floors not cleared', '0 Need help', '1 of 4 Floors cleared'].map(swapped),
    'Unknown is not safe. Cleared means that a warden searched the floor and found no one else; it does not say where the people from that floor are.',
    ...['Hazards Gas <b>cylinders</b> Tower A, Level 1 Noted ', 'People in danger Tower A, Ground Ada Abara Recorded '],
    ...['Help needed No one with a plan is missing.', 'Floors not cleared Tower A Unknown In danger'],
    ...['Level 1 Not Started, no one has reported 1 0', 'Ground Not Started, no one has reported 1 1'],
    ...['Cleared floors Tower A: Level 2', 'Contacts '],
  ]
  const places = order.map((words) => text.indexOf(words))
  expect(Object.fromEntries(order.map((words, at) => [words, places[at]]))).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(text).toMatch(/Recorded \d\d:\d\d by Fay \d+, Floor Warden/)
  expect(page).toMatch(/<a href="\/p\/[\w-]{22}\/[\w-]{22}">Refresh<\/a>/)
  expect(page).not.toMatch(/<script|<img|@font-face|http-equiv|<link/)
})

test('PACK-06 help needed: only the assistance that is shared, never a name or a disability', async ({ server }) => {
  const { org, make, read } = await eventWithPeople(server)
  const [ada, bea, cy] = org.people
  const plan = (personUid: unknown, assistance: string, fireService: boolean | null) =>
    server.db
      .insertInto('peep')
      .values({
        clientUid: org.clientUid,
        personUid: personUid as never,
        assistance,
        fireService,
        disability: 'SECRET disability',
        other: 'SECRET other',
        summary: 'SECRET summary',
      })
      .execute()
  await plan(ada, 'Evacuation chair', null)
  await plan(bea, 'SECRET of Bea', false)
  await plan(cy, 'Guide by hand', true)
  const share = (sharePlans: string) =>
    server.db.updateTable('client').set({ sharePlans }).where('uid', '=', org.clientUid).execute()
  const helpOf = (page: string) => /Help needed (.*) Floors not cleared/.exec(textOf(page))?.[1]

  const pages = [await read((await make()).url)]
  await share('only yes')
  pages.push(await read((await make()).url), await read((await make({ plans: 'no' })).url))

  expect(pages.map(helpOf)).toEqual([
    'Tower A, Level 1 Guide by hand Unknown, not seen yet Tower A, Ground Evacuation chair Unknown, not seen yet 1 person, ask the person in command',
    'Tower A, Level 1 Guide by hand Unknown, not seen yet Tower A, Ground 2 people, ask the person in command',
    'Tower A, Level 1 1 person, ask the person in command Tower A, Ground 2 people, ask the person in command',
  ])
  for (const page of pages) expect(page).not.toMatch(/SECRET|Ada|Bea|Abara/)
  // the third pack shows no plan (PEEP-06)
  const seen = await server.db
    .selectFrom('planSeen')
    .select(['personUid', 'readerUid', 'way'])
    .where('clientUid', '=', org.clientUid)
    .execute()
  expect(seen.map(({ personUid, way }) => [personUid, way]).toSorted()).toEqual(
    [ada, cy, cy].map((uid) => [uid, 'pack']).toSorted(),
  )
  expect(new Set(seen.map(({ readerUid }) => readerUid)).size).toBe(2)
})

test('PACK-08 above 200 open floors a line a building and a page for each, all under 100 kB', async ({ server }) => {
  const long = 'Ängström Ωmega '.repeat(7).slice(0, 100)
  const { org, make, visitor, enter, eventUid } = await eventWithPeople(server)
  const tower = await server.given.building(org, {
    name: long,
    floorNames: Array.from({ length: 230 }, (_, nth) => `Level ${nth}`),
  })
  await server.db
    .insertInto('eventBuilding')
    .values({ clientUid: org.clientUid, eventUid, buildingUid: tower.buildingUid })
    .execute()
  await server.db
    .insertInto('eventFloor')
    .columns(['clientUid', 'eventUid', 'buildingUid', 'floorUid', 'floorStatusUid'])
    .expression((eb) =>
      eb
        .selectFrom('floor')
        .select([
          ...(['clientUid'] as const),
          eb.val(eventUid).as('eventUid'),
          'buildingUid',
          'uid',
          eb.val(org.statusUids[0]).as('floorStatusUid'),
        ])
        .where('buildingUid', '=', tower.buildingUid),
    )
    .execute()
  const own = await enter((await make()).url)

  const { body } = await visitor.get(own)
  const building = await visitor.get(`${own}/${tower.buildingUid}`)

  expect(textOf(body)).toContain(`${long.trim()} 230 0 0 Tower A 3 4 0 Tower B 1 0 0`)
  expect(body).toContain(`href="${own}/${tower.buildingUid}"`)
  expect(building.body.match(/<tr><td>/g)).toHaveLength(230)
  for (const page of [body, building.body]) expect(Buffer.byteLength(page)).toBeLessThan(100_000)
  const elsewhere = await server.given.organisation()
  expect((await visitor.get(`${own}/${elsewhere.buildingUid}`)).status).toBe(404)
})

test('PACK-02 PACK-01 over by hand, by hour, two hours after the event: one answer, as for an address that never was', async ({
  server,
}) => {
  const { org, make, manager, visitor, pathOf, enter, eventUid } = await eventWithPack(server)
  const [byHand, byHour, byEvent] = [await make(), await make(), await make({ hours: 12 })]
  const own = await enter(byHand.url)
  for (const _ of [1, 2]) await manager(endPack, { params: { uid: byHand.uid } }, withKey())
  await server.database.owner.pg.query('update arrival_pack set expires_at = now() where uid = $1', [byHour.uid])
  await manager(endEvent, endInput(org, { buildings: [org.buildingUid, org.otherBuildingUid] }))
  expect((await visitor.get(pathOf(byEvent.url))).status).toBe(200)
  const twoHoursAgo = new Date(Date.now() - 7_200_000)
  await server.db.updateTable('event').set({ endedAt: twoHoursAgo }).where('uid', '=', eventUid).execute()

  const over = [pathOf(byHand.url), own, pathOf(byHour.url), pathOf(byEvent.url), `/p/${'x'.repeat(22)}`, '/p/short']
  const answers = await Promise.all(over.map((url) => visitor.get(url)))

  expect(answers.map(({ status, body }) => [status, textOf(body)])).toEqual(over.map(() => [410, gone]))
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
  expect((await server.journalOf(eventUid)).filter(({ action }) => action === 'pack_ended')).toHaveLength(1)
})

/** Everyone presses the form at once. Gives the addresses that they are led to. */
const enterAll = (addresses: string[], server: Parameters<typeof visitorOf>[0], start: string, form = {}) =>
  Promise.all(
    addresses.map(async (address) => String((await visitorOf(server, address).post(start, form)).headers.location)),
  )
const lines = (count: number, addressOf: (nth: number) => string) =>
  Array.from({ length: count }, (_, nth) => addressOf(nth))

test('PACK-11 a pack has a hundred readers, of many at once; who comes then reads without a name', async ({
  server,
}) => {
  const { make, pathOf, visitor, manager, eventUid } = await eventWithPack(server)
  const start = pathOf((await make()).url)

  const own = await enterAll(
    lines(108, (nth) => `198.51.${nth}.7`),
    server,
    start,
  )

  expect(new Set(own).size).toBe(101)
  const officer = await enterAll(['192.0.2.1'], server, start, { name: 'Kim, Engine 4' })
  expect(own).toContain(officer[0])
  expect(textOf((await visitor.get(officer[0] as string)).body)).toContain('Unknown is not safe.')
  const { readers } = await manager(listPacks, {})
  expect(readers.filter(({ kind }) => kind === 'own')).toHaveLength(100)
  expect(readers.find(({ kind }) => kind === 'others')).toMatchObject({ name: '', network: '', browser: '', times: 1 })
  const told = (await server.journalOf(eventUid)).filter(({ action }) => action === 'pack_opened')
  expect(told).toHaveLength(101)
})

test('PACK-11 NET-01 130 lines of one home are ten readers, and the fire service has its own', async ({ server }) => {
  const { make, pathOf, manager } = await eventWithPack(server)
  const start = pathOf((await make()).url)

  const own = await enterAll(
    lines(130, (nth) => `2001:db8:7:${nth.toString(16)}::7`),
    server,
    start,
  )
  const building = await enterAll(
    lines(30, () => '203.0.113.9'),
    server,
    start,
  )
  await enterAll(['2001:db8:7:4200::7'], server, start, { name: 'Kim, Engine 4' })

  expect(new Set(own).size).toBe(11)
  expect(new Set(building).size).toBe(30)
  const { readers } = await manager(listPacks, {})
  expect(readers.filter(({ kind }) => kind === 'own')).toHaveLength(41)
  expect(readers).toContainEqual(expect.objectContaining({ name: 'Kim, Engine 4', network: '2001:db8:7::/48' }))
})

test('PACK-11 where all places are taken, a reader without a name who has not read for ten minutes gives way', async ({
  server,
}) => {
  const { make, pathOf, visitor, manager } = await eventWithPack(server)
  const start = pathOf((await make()).url)
  const [named] = await enterAll(['198.52.1.1'], server, start, { name: 'Lee, Engine 1' })
  const own = await enterAll(
    lines(99, (nth) => `198.52.${nth + 2}.1`),
    server,
    start,
  )
  await server.database.owner.pg.query(
    `update arrival_pack_reader set last_at = now() - interval '11 minutes' where network in ('198.52.1.0/24', '198.52.9.0/24')`,
  )

  const officers = await enterAll(['192.0.2.1', '192.0.2.2'], server, start, { name: 'Kim, Engine 4' })

  const { readers } = await manager(listPacks, {})
  expect(readers.filter(({ name }) => name === 'Kim, Engine 4')).toHaveLength(1)
  expect(new Set(officers).size).toBe(2)
  expect((await visitor.get(named as string)).status).toBe(200)
  const gone = await visitor.get(own[7] as string)
  expect([gone.status, gone.headers.location]).toEqual([303, start])
  expect(readers.at(-1)).toMatchObject({ network: '198.52.9.0/24' })
})

test('PACK-11 a hundred prints are one reader, and the fire service still opens the pack under its name', async ({
  server,
}) => {
  const { make, pathOf, visitor, manager } = await eventWithPack(server)
  const start = pathOf((await make()).url)

  const prints = await enterAll(
    lines(105, (nth) => `203.0.${nth}.7`),
    server,
    start,
    { name: 'Printed' },
  )
  await enterAll(['192.0.2.1'], server, start, { name: 'Kim, Engine 4' })

  expect(new Set(prints).size).toBe(1)
  expect((await visitor.get(prints[0] as string)).status).toBe(200)
  const { readers } = await manager(listPacks, {})
  expect(readers.map(({ kind, name, times }) => [kind, name, times]).toSorted()).toEqual([
    ['own', 'Kim, Engine 4', 0],
    ['printed', '', 1],
  ])
})

test('PACK-01 an event has ten live packs, of many made at once', async ({ server }) => {
  const { make, manager } = await eventWithPack(server)

  const answers = await refused(...Array.from({ length: 13 }, () => make()))
  expect(answers.filter((answer) => answer === 'answered')).toHaveLength(10)
  expect(answers.filter((answer) => answer === 'too_many_links')).toHaveLength(3)
  await expect(make()).rejects.toMatchObject({ status: 409, message: 'End a link first.' })

  const { packs } = await manager(listPacks, {})
  await manager(endPack, { params: { uid: packs[0]?.uid ?? '' } }, withKey())
  await make()
})

test('PACK-01 a repeated request gets the same address, and the answer that is kept has none', async ({ server }) => {
  const { manager, make } = await eventWithPack(server)
  const first = await make()
  const key = withKey()

  const [one, two] = [
    await manager(makePack, { body: { hours: 1, plans: 'no' } }, key),
    await manager(makePack, { body: { hours: 1, plans: 'no' } }, key),
  ]

  expect(two).toEqual(one)
  expect(one.url).not.toBe(first.url)
  const { rows } = await server.database.owner.pg.query('select reply::text from idempotency where reply is not null')
  const kept = JSON.stringify(rows)
  expect(kept).toContain(one.uid)
  expect(kept).not.toContain(one.url.split('/').at(-1))
})

test('PACK-12 hazards: plain words at a place of the event, 50 at one time, over once, and nothing is deleted', async ({
  server,
}) => {
  const { org, manager, eventUid } = await eventWithPack(server)
  const note = (text: string, place?: string) =>
    manager(noteHazard, { body: { text, ...(place && { place }) } }, withKey())
  const elsewhere = await server.given.organisation()

  expect(await refused(note('a\u0007bell'), note('two\nlines'), note('Gas', elsewhere.floorUid))).toEqual([
    ...['invalid_request', 'invalid_request', 'not_found'],
  ])
  const { hazards, places } = await note('Gas cylinders', org.floors[1])
  expect(hazards).toMatchObject([{ text: 'Gas cylinders', place: { id: org.floors[1], name: 'Tower A, Level 1' } }])
  expect(places.map(({ name }) => name)).toContain('Tower B')
  const answers = await refused(...Array.from({ length: 52 }, (_, nth) => note(`Hazard ${nth}`)))
  expect(answers.filter((answer) => answer === 'answered')).toHaveLength(49)

  const [hazard] = hazards
  for (const _ of [1, 2]) await manager(endHazard, { params: { uid: hazard?.uid ?? '' } }, withKey())

  const told = (await server.journalOf(eventUid)).filter(({ action }) => action.startsWith('hazard'))
  expect(told.filter(({ action }) => action === 'hazard_over')).toHaveLength(1)
  expect(JSON.stringify(told)).not.toContain('Gas')
  expect(await server.db.selectFrom('hazard').select('words').where('eventUid', '=', eventUid).execute()).toHaveLength(
    50,
  )
})

test('PACK-04 PACK-07 after the end the figures are those of its end, said so, with who led and their telephone number', async ({
  server,
}) => {
  const { org, make, read, manager, warden, chief } = await eventWithPeople(server)
  const [ada, bea] = org.people
  const leaves = await server.onDuty(
    await server.given.warden(org, { firstName: 'Gone', modules: ['Module_Event_Management'] }),
  )
  await warden(setPersonStatus, { body: { personId: ada as never, status: 'in danger', floorId: org.floorUid } })
  await warden(setPersonStatus, { body: { personId: bea as never, status: 'safe', floorId: org.floorUid } })
  await warden(setFloorStatus, { body: { floorId: org.floors[2] as never, floorStatusId: org.statusUids[1] as never } })
  await manager(noteHazard, { body: { text: 'Gas cylinders' } }, withKey())
  await leaves(logout, {})
  const { url } = await make()
  const bodyOf = (page: string) => /Refresh (.*)$/.exec(textOf(page))?.[1]
  const before = bodyOf(await read(url))

  await manager(endEvent, endInput(org, { buildings: [org.buildingUid, org.otherBuildingUid] }))
  const after = await read(url)

  expect(textOf(after)).toMatch(
    /As of the end of the event, \w+,? \d+ \w+ \d+, [\d:]+ \S+ The event has ended\. These are the figures of its end\./,
  )
  expect(before).toMatch(/In command: .*1 In danger|In command: /)
  expect(before).toContain(`+${chief.mobile}`)
  expect(before).toContain('Gas cylinders')
  expect(before).not.toContain('Gone')
  expect(
    bodyOf(after)
      ?.replace('In command at the end:', 'In command:')
      .replace('Contacts at the end of the event', 'Contacts'),
  ).toBe(before)
})

test('PACK-04 PACK-07 a building that was removed before the end is not in the figures of the end', async ({
  server,
}) => {
  const { org, make, read, manager } = await eventWithPeople(server)
  const { url } = await make()
  await manager(endEvent, endInput(org, { buildings: [org.otherBuildingUid] }))

  await manager(endEvent, endInput(org))

  const text = textOf(await read(url))
  expect(text).toContain('Floors cleared 0 of 3')
  expect(text).not.toContain('Tower B')
  expect(text).not.toContain('All floors are cleared')
})

test('PACK-04 a pack of an event without floors never says that all floors are cleared', async ({ server }) => {
  const { make, read, eventUid } = await eventWithPeople(server)
  await server.db.deleteFrom('eventFloor').where('eventUid', '=', eventUid).execute()

  const text = textOf(await read((await make()).url))

  expect(text).toContain('Floors not cleared The event has no floors.')
  expect(text).not.toContain('All floors are cleared')
})

test('PACK-06 words of a plan that are longer than a line are cut, and the line says so', async ({ server }) => {
  const { org, make, read } = await eventWithPeople(server)
  const plan = (person: unknown, assistance: string) =>
    server.db
      .insertInto('peep')
      .values({ clientUid: org.clientUid, personUid: person as never, assistance, fireService: true })
      .execute()
  await plan(org.people[0], 'a'.repeat(300))
  await plan(org.people[1], `${'b'.repeat(300)}END`)

  const text = textOf(await read((await make()).url))

  expect(text).toContain(`${'a'.repeat(300)} Unknown`)
  expect(text).toContain(`${'b'.repeat(300)}… There is more: ask the person in command. Unknown`)
  expect(text).not.toContain('END')
})

import { expect } from 'vitest'
import { expectSealed, textOf, visitorOf } from '#features/arrival-pack/server/pack.fixture.ts'
import { test } from '#server/testing/server-test.ts'
import { startTestServer } from '#server/testing/test-server.ts'
import { eventWithReports, newNetwork } from './self-report.fixture.ts'

test('T46 T43 REC-21 each page allows its own style and form alone, and is in no frame, index or referrer', async ({
  server,
}) => {
  const { visitor, code, linkOf, ada, mobiles } = await eventWithReports(server)
  const { path } = await linkOf(ada, mobiles[0])
  const pages = [
    await visitor.get(`/s/${code}`),
    await visitor.get(path),
    await visitor.post(`/s/${code}`, { say: 'safe' }),
    await visitor.post(path, { say: 'safe' }),
    await visitor.get('/s/unknown'),
  ]

  for (const visited of pages) expectSealed(visited)
})

test('REC-21 KIND-07 in a drill the page says so', async ({ server }) => {
  const { visitor, code } = await eventWithReports(server, { kind: 'drill' })
  expect(textOf((await visitor.get(`/s/${code}`)).body)).toMatch(/^DRILL\. This is an exercise\./)
})

test('REC-21 the page stays below 10 kB with any number of places: then the floor is typed', async ({ server }) => {
  const { visitor, code, org, eventUid, post, list, linkOf, ada, mobiles } = await eventWithReports(server)
  const { path } = await linkOf(ada, mobiles[0])
  const sizes = async () => {
    const bodies = [(await visitor.get(`/s/${code}`)).body, (await visitor.get(path)).body]
    for (const body of bodies) expect(Buffer.byteLength(body)).toBeLessThan(10_000)
    return bodies.map((body) => (/<optgroup/.test(body) ? 'floors' : /<select/.test(body) ? 'buildings' : 'nothing'))
  }
  expect(await sizes()).toEqual(['floors', 'floors'])
  const add = (buildings: number, floors: number) =>
    server.database.owner.pg.query(
      `with made as (
         insert into building (client_uid, site_uid, code, name)
         select $1, $2, 'X' || $4::int || '-' || i, 'Building ' || $4::int || '-' || i from generate_series(1, $4::int) i returning uid
       ), joined as (
         insert into event_building (client_uid, event_uid, building_uid) select $1, $3, uid from made
       ), storey as (
         insert into floor (client_uid, building_uid, code, name, level)
         select $1, m.uid, 'F' || i || '-' || m.uid, 'Storey ' || i, i from made m, generate_series(1, $5::int) i returning uid, building_uid
       )
       insert into event_floor (client_uid, event_uid, floor_uid, building_uid, floor_status_uid)
       select $1, $3, uid, building_uid, $6 from storey`,
      [org.clientUid, org.siteUid, eventUid, buildings, floors, org.statusUids[0]],
    )
  await add(3, 40)
  expect(await sizes()).toEqual(['buildings', 'floors'])
  await add(10, 97)
  expect(await sizes()).toEqual(['buildings', 'buildings'])

  await post({ say: 'help', place: org.buildingUid.slice(0, 8), floor: 'level 2' })
  await post({ say: 'help', place: org.buildingUid.slice(0, 8), floor: 'roof', words: 'North side' })
  await post({ say: 'help', floor: 'Storey 77' })
  expect((await list()).reports.map(({ building, floor, words }) => [building?.name, floor?.name, words])).toEqual([
    ['Tower A', 'Level 2', null],
    ['Tower A', undefined, 'roof: North side'],
    [undefined, undefined, 'Storey 77'],
  ])
  await add(150, 1)
  expect(await sizes()).toEqual(['nothing', 'nothing'])
})

test('T46 of 25 wrong codes of a network 20 read that no event is running, the others 429; a right one opens for all that', async () => {
  // what counts is a minute: it must not pass meanwhile
  const now = new Date()
  await using server = await startTestServer({ clock: { now: () => now } })
  const { code } = await eventWithReports(server)
  const guesser = visitorOf(server, newNetwork())

  const answers = await Promise.all(
    Array.from({ length: 25 }, (_, nth) => guesser.get(`/s/${String(nth).padStart(8, 'x')}`)),
  )

  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(20).fill(404), ...Array(5).fill(429)])
  expect((await guesser.get(`/s/${code}`)).status).toBe(200)
})

test('T46 a code of one kind opens no other page', async ({ server }) => {
  const { visitor, code, linkOf, ada, mobiles } = await eventWithReports(server)
  const own = (await linkOf(ada, mobiles[0])).path.split('/').at(-1) as string

  for (const token of [code, own]) expect((await visitor.get(`/p/${token}`)).status).toBe(410)
})

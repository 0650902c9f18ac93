import { expect } from 'vitest'
import { createEvent, endEvent } from '#features/events/calls/events.ts'
import { endTokens } from '#features/operation/server/backup/restore.queries.ts'
import { forget } from '#features/operation/server/retention/retention.service.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import type { Call } from '#kernel/client/client.ts'
import { endInput, startInput } from '#server/testing/event-input.ts'
import type { Organisation } from '#server/testing/given-places.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { getBoard } from '../../calls/board.ts'
import { endWall, listWalls, makeWall, readWall, type ShownBoard, type WallBoard } from '../../calls/walls.ts'
import { boardGiven } from '../board.fixture.ts'

const tokenOf = (url: string) => url.split('#')[1] as string
const body = (org: Organisation, over = {}) => ({
  site: org.siteUid,
  name: 'Lobby',
  place: 'team' as const,
  days: 90,
  ...over,
})
const wallOf = async (server: TestServer, token: string, more = {}) =>
  (await server.stranger(readWall, { body: { token, ...more } })) as WallBoard

const sweep = ({ database }: TestServer) =>
  forget(database.system, { messages: undefined, events: undefined, audit: undefined, peeps: undefined })

async function givenWall(manager: Call, org: Organisation, over = {}) {
  const { uid, url } = await manager(makeWall, { body: body(org, over) }, withKey())
  return { uid, url, token: tokenOf(url) }
}

test('BOARD-30 BOARD-31 BOARD-37 a link is shown once, kept as a hash, listed without it, and ended at once', async ({
  server,
}) => {
  const { manager, org, chief } = await boardGiven(server)
  const key = withKey()
  const made = await manager(makeWall, { body: body(org, { name: ' Lobby ' }) }, key)
  expect(await manager(makeWall, { body: body(org, { name: ' Lobby ' }) }, key)).toEqual(made)

  const { walls } = await manager(listWalls, { query: { site: org.siteUid } })

  expect(made.url).toMatch(new RegExp(`^${server.config.appUrl}/wall#[\\w-]{65}$`))
  expect(walls).toEqual([
    {
      uid: made.uid,
      name: 'Lobby',
      place: 'team',
      by: expect.stringMatching(/^Chief /),
      seen_at: null,
      made_at: expect.any(String),
      ends_at: expect.any(String),
    },
  ])
  const days = (Date.parse(walls[0]?.ends_at ?? '') - Date.parse(walls[0]?.made_at ?? '')) / 86_400_000
  expect(Math.round(days)).toBe(90)
  expect(JSON.stringify(walls)).not.toContain(tokenOf(made.url))

  await manager(endWall, { params: { uid: made.uid } }, withKey())
  await manager(endWall, { params: { uid: made.uid } }, withKey())
  expect(await refused(wallOf(server, tokenOf(made.url)))).toEqual(['link_ended'])
  expect((await manager(listWalls, { query: { site: org.siteUid } })).walls).toEqual([])
  const journal = (await server.journalOf(org.siteUid)).map(({ action, after, actorPersonUid }) => [
    action,
    after,
    actorPersonUid,
  ])
  expect(journal.filter(([action]) => action !== 'names_kept')).toEqual([
    ['wall_made', { wall: made.uid, place: 'team', days: 90 }, chief.personUid],
    ['wall_ended', { wall: made.uid }, chief.personUid],
  ])
})

test('BOARD-31 of 30 links made at once 20 are live, and the others read to end one first', async ({ server }) => {
  const { manager, org } = await boardGiven(server)

  const outcomes = await refused(...Array.from({ length: 30 }, () => manager(makeWall, { body: body(org) }, withKey())))

  expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(20)
  expect(outcomes.filter((outcome) => outcome === 'too_many_links')).toHaveLength(10)
  const { walls } = await manager(listWalls, { query: { site: org.siteUid } })
  expect(walls).toHaveLength(20)
  await expect(manager(makeWall, { body: body(org) }, withKey())).rejects.toThrow('End a link first.')
  await manager(endWall, { params: { uid: walls[0]?.uid as string } }, withKey())
  await givenWall(manager, org)
})

test('BOARD-32 BOARD-34 a wall of the team shows the board, and hears unchanged while nothing is new', async ({
  server,
}) => {
  const { manager, org, record } = await boardGiven(server)
  const { token } = await givenWall(manager, org)

  const first = await wallOf(server, token)
  const { at, slow_at, horizon, ...content } = (await manager(getBoard, { query: {} })) as ShownBoard
  expect(first).toMatchObject({ place: 'team', site: org.siteName, timezone: 'Australia/Sydney', board: content })
  expect([at, slow_at, horizon]).not.toContain(undefined)
  const seen = { seen: first.version, places: first.places?.version }
  expect(await wallOf(server, token, seen)).toEqual({
    unchanged: true,
    at: expect.any(String),
    slow_at: expect.any(String),
  })

  await record(0, 'in danger')

  await expect
    .poll(() => wallOf(server, token, seen), { timeout: 4_000 })
    .toMatchObject({ board: { totals: { people: { danger: 1 } } } })
  const second = await wallOf(server, token, seen)
  expect(second.version).not.toBe(first.version)
  expect(second.places).toBeUndefined()
})

test('BOARD-34 BOARD-37 a wall is there before the event, comes alive within 4 s, and outlives its maker', async ({
  server,
}) => {
  const { manager, org, chief } = await boardGiven(server)
  const both = { buildings: [org.buildingUid, org.otherBuildingUid] }
  const { token } = await givenWall(manager, org, { place: 'public' })
  await manager(endEvent, endInput(org, both))

  const quiet = await wallOf(server, token)
  expect(quiet).toEqual({
    version: quiet.version,
    place: 'public',
    site: org.siteName,
    timezone: 'Australia/Sydney',
    board: null,
  })
  expect(await wallOf(server, token, { seen: quiet.version })).toEqual({
    unchanged: true,
    at: expect.any(String),
    slow_at: null,
  })

  const other = await server.as(await server.given.warden(org, { role: 'Chief Warden' }))
  await server.db
    .updateTable('wardenAssignment')
    .set({ status: 'Withdrawn' })
    .where('uid', '=', chief.assignmentUid)
    .execute()
  await other(createEvent, startInput(org, both))
  await expect
    .poll(() => wallOf(server, token, { seen: quiet.version }), { timeout: 4_000, interval: 500 })
    .toMatchObject({ board: { totals: { people: { total: expect.any(Number) } } } })
})

test('BOARD-33 where others can see it: no plans, messages, texts, own words, causes, people or names', async ({
  server,
}) => {
  const { manager, org, people, eventUid, record } = await boardGiven(server)
  await server.given.peep(org, people[0] as never)
  await server.given.evacueeMessage(eventUid, people[1] as never, { direction: 'in' })
  await record(2, 'in danger')
  const { token } = await givenWall(manager, org, { place: 'public' })
  const team = await givenWall(manager, org)

  const full = (await wallOf(server, team.token)).board
  const { board } = await wallOf(server, token)

  expect(full?.totals).toMatchObject({ plans: 1, unanswered: 1 })
  expect(Object.keys(board?.totals ?? {}).sort()).toEqual([
    'danger_floors',
    'floors',
    'no_warden',
    'people',
    'refused',
    'refused_floors',
    'unknown_by_place',
  ])
  const shown = new Set(board?.floors.flatMap((floor) => Object.keys(floor)))
  for (const hidden of ['plans', 'unanswered', 'unanswered_at', 'text_failed', 'contradictions'])
    expect(shown).not.toContain(hidden)
  expect(board).toMatchObject({ contradictions: [], more: false })
  const answer = JSON.stringify(await wallOf(server, token))
  for (const uid of people) expect(answer).not.toContain(uid)
  for (const name of ['Occupant', 'Visitor', 'Warden 0', 'Chief', 'Helen']) expect(answer).not.toContain(name)
})

test('BOARD-36 an unknown token, an ended link, one that is over and one of another organisation are one answer', async ({
  server,
}) => {
  const { manager, org } = await boardGiven(server)
  const [ended, over] = [await givenWall(manager, org), await givenWall(manager, org)]
  await manager(endWall, { params: { uid: ended.uid } }, withKey())
  await server.database.owner.db
    .updateTable('wallLink')
    .set({ expiresAt: new Date() })
    .where('uid', '=', over.uid)
    .execute()
  const abroad = await boardGiven(server)
  const foreign = await givenWall(abroad.manager, abroad.org)
  await server.db.updateTable('client').set({ active: false }).where('uid', '=', abroad.org.clientUid).execute()
  const forged = `${foreign.token.slice(0, -1)}${foreign.token.endsWith('A') ? 'B' : 'A'}`

  const answers = await Promise.all(
    [ended.token, over.token, foreign.token, forged, 'x'].map((token) =>
      server.app.inject({ method: 'POST', url: readWall.path, payload: { token } }),
    ),
  )

  for (const answer of answers)
    expect([answer.statusCode, answer.json()]).toEqual([
      403,
      { error: 'link_ended', message: 'This link no longer works.' },
    ])
})

test('BOARD-32 the token opens no other call, and no access token opens a wall', async ({ server }) => {
  const { manager, org } = await boardGiven(server)
  const { token } = await givenWall(manager, org)
  const bearing = server.callWith(token)

  expect(
    await refused(
      bearing(getBoard, { query: {} }),
      bearing(listWalls, { query: { site: org.siteUid } }),
      bearing(logout, {}),
    ),
  ).toEqual(Array(3).fill('not_signed_in'))
  expect(await refused(wallOf(server, (manager as unknown as { token: string }).token))).toEqual(['link_ended'])
})

test('BOARD-36 20 wrong tokens a minute of a network are answered, then 429; a right one goes on', async ({
  server,
}) => {
  const { manager, org } = await boardGiven(server)
  const { token } = await givenWall(manager, org)
  const from = (sent: string) =>
    server.app.inject({ method: 'POST', url: readWall.path, payload: { token: sent }, remoteAddress: '10.9.8.7' })

  const answers = await Promise.all(Array.from({ length: 22 }, (_, n) => from(`wrong ${n}`)))

  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([...Array(20).fill(403), 429, 429])
  expect((await from(token)).statusCode).toBe(200)
})

test('BOARD-34 a screen asks up to 60 times a minute, and screens of one address have counts of their own', async ({
  server,
}) => {
  const { manager, org } = await boardGiven(server)
  const [one, other] = [await givenWall(manager, org), await givenWall(manager, org)]

  const outcomes = await refused(...Array.from({ length: 61 }, () => wallOf(server, one.token)))

  expect(outcomes.filter((outcome) => outcome === 'too_many_requests')).toHaveLength(1)
  expect(await refused(wallOf(server, other.token))).toEqual(['answered'])
})

test('BOARD-37 when it was last seen is written once a minute, and ended links go after 30 days', async ({
  server,
}) => {
  const { manager, org } = await boardGiven(server)
  const { token, uid } = await givenWall(manager, org)
  const wall = () => server.db.selectFrom('wallLink').selectAll().where('uid', '=', uid).executeTakeFirst()
  const setSeen = (secondsAgo: number) =>
    server.database.owner.db
      .updateTable('wallLink')
      .set({ seenAt: new Date(Date.now() - secondsAgo * 1000) })
      .where('uid', '=', uid)
      .execute()

  await wallOf(server, token)
  const first = (await wall())?.seenAt
  await wallOf(server, token)
  expect((await wall())?.seenAt).toEqual(first)
  await setSeen(61)
  await wallOf(server, token)
  expect((await wall())?.seenAt?.getTime()).toBeGreaterThanOrEqual(first?.getTime() as number)

  await manager(endWall, { params: { uid } }, withKey())
  await sweep(server)
  expect(await wall()).toBeDefined()
  await server.database.owner.db
    .updateTable('wallLink')
    .set({ endedAt: new Date(Date.now() - 31 * 86_400_000) })
    .where('uid', '=', uid)
    .execute()
  await sweep(server)
  expect(await wall()).toBeUndefined()
})

test('T26 BOARD-37 a restore, and signing everyone out, end walls as they end sessions', async ({ server }) => {
  const { manager, org } = await boardGiven(server)
  const { token } = await givenWall(manager, org)
  expect(await refused(wallOf(server, token))).toEqual(['answered'])
  const client = await server.database.owner.pg.connect()

  await endTokens(client)

  client.release()
  expect(await refused(wallOf(server, token))).toEqual(['link_ended'])
})

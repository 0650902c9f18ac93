import { expect } from 'vitest'
import type { PersonUid } from '#kernel/ids.ts'
import { endInput } from '#server/testing/event-input.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { sendTexts } from '#server/testing/texts.ts'
import { getEventTexts, listUnreached } from '../calls/event-texts.ts'
import { endEvent } from '../calls/events.ts'
import { writeBroadcastPage } from './broadcast.queries.ts'

const texted = { broadcastMessage: 'yes', alertToWarden: 'yes' } as const
const none = { queued: 0, handed_over: 0, delivered: 0, unconfirmed: 0, failed: 0, expired: 0, skipped: 0 }
const paid = { over_budget: 0 }

/** Tower A with a warden, three occupants and one without a mobile, all texted. */
async function textedEvent(server: TestServer) {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org, { firstName: 'Wanda' })
  const people = await server.given.occupants(org, 3)
  const silent = await server.given.occupant(org, { mobile: null })
  return { org, warden, people, silent, ...(await server.runningEvent(org, texted)) }
}

const setState = ({ db }: TestServer, personUid: PersonUid, status: string, reason: string | null) =>
  db.updateTable('sms').set({ status, reason }).where('personUid', '=', personUid).execute()

test('AMB-093 the manager sees the texts by state: being written, waiting, and what became of them', async ({
  server,
}) => {
  const { eventUid, manager } = await textedEvent(server)

  expect(await manager(getEventTexts, {})).toEqual({
    event: eventUid,
    counts: { ...none, queued: 1 },
    writing: true,
    ...paid,
  })
  while (await writeBroadcastPage(server.db));
  expect(await manager(getEventTexts, {})).toEqual({
    event: eventUid,
    counts: { ...none, queued: 4, skipped: 1 },
    writing: false,
    ...paid,
  })
  await sendTexts(server)

  expect(await manager(getEventTexts, {})).toMatchObject({ counts: { ...none, delivered: 4, skipped: 1 } })
})

test('AMB-093 whom to call instead: state, reason, number and place of each, by name', async ({ server }) => {
  const { manager, warden, people, silent } = await textedEvent(server)
  await sendTexts(server)
  await setState(server, warden.personUid, 'failed', 'The number is not in service.')
  await setState(server, people[1] as PersonUid, 'expired', 'It could not be sent in time.')
  await setState(server, people[2] as PersonUid, 'unconfirmed', 'No receipt from the provider.')

  const { persons, next } = await manager(listUnreached, { query: {} })

  expect(next).toBeNull()
  expect(persons.map(({ name }) => name.toLowerCase())).toEqual(
    persons.map(({ name }) => name.toLowerCase()).toSorted(),
  )
  expect(new Set(persons.map(({ state, reason }) => `${state}: ${reason}`))).toEqual(
    new Set([
      'failed: The number is not in service.',
      'expired: It could not be sent in time.',
      'unconfirmed: No receipt from the provider.',
      'skipped: No mobile number.',
    ]),
  )
  const of = (state: string) => persons.find((person) => person.state === state)
  expect(of('failed')).toMatchObject({ warden: true, phone: warden.mobile, location: 'Tower A - Ground' })
  expect(of('skipped')).toMatchObject({ warden: false, phone: null, location: 'Tower A - Ground' })
  expect(persons).toHaveLength(4)
  expect(silent).toBeDefined()
})

test('T10 the manager is told how many texts the budget of the day did not cover, and whom to call instead', async ({
  server,
}) => {
  const { manager } = await textedEvent(server)
  while (await writeBroadcastPage(server.db));

  await sendTexts(server, { budgets: { sign_in_links: 9, links: 9, alerts: 1, calls: 0 }, onTrouble: () => undefined })

  expect(await manager(getEventTexts, {})).toMatchObject({ counts: { delivered: 1, skipped: 4 }, over_budget: 3 })
  const { persons } = await manager(listUnreached, { query: {} })
  const unpaid = persons.filter(({ reason }) => reason === 'The text budget for today is used up.')
  expect(unpaid.map(({ state }) => state)).toEqual(['skipped', 'skipped', 'skipped'])
})

test('AMB-093 a newer text that arrived takes someone off the list; so does leaving the event', async ({ server }) => {
  const org = await server.given.organisation()
  const [person, away] = [
    await server.given.occupant(org),
    await server.given.occupant(org, { floorUid: org.otherFloorUid }),
  ]
  const warden = await server.given.warden(org, { floorUid: org.otherFloorUid })
  const buildings = [org.buildingUid, org.otherBuildingUid]
  const { manager, eventUid } = await server.runningEvent(org, { broadcastMessage: 'yes', buildings })
  await sendTexts(server)
  for (const uid of [person, away, warden.personUid]) await setState(server, uid, 'failed', 'x')
  expect((await manager(listUnreached, { query: {} })).persons).toHaveLength(3)

  const { uid: _, ...text } = await server.db
    .selectFrom('sms')
    .selectAll()
    .where('personUid', '=', person)
    .executeTakeFirstOrThrow()
  await server.db
    .insertInto('sms')
    .values({ ...text, status: 'delivered', createdAt: new Date(Date.now() + 1000) })
    .execute()
  await manager(endEvent, endInput(org, { buildings: [org.otherBuildingUid] }))

  expect(await manager(listUnreached, { query: {} })).toEqual({ persons: [], next: null })
  expect((await server.evacueeOf(eventUid, away))?.active).toBe(false)
})

test('AMB-093 the list comes in pages, each person once', async ({ server }) => {
  const org = await server.given.organisation({ smsAllowed: false })
  await server.given.occupants(org, 45)
  const { manager } = await server.runningEvent(org, { broadcastMessage: 'yes' })
  while (await writeBroadcastPage(server.db));

  const pages = []
  let after: string | null = null
  do {
    const page: Awaited<ReturnType<typeof read>> = await read(after)
    pages.push(page.persons)
    after = page.next
  } while (after)

  function read(from: string | null) {
    return manager(listUnreached, { query: from ? { after: from } : {} })
  }
  expect(pages.map(({ length }) => length)).toEqual([20, 20, 5])
  expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(45)
  expect(pages[0]?.[0]).toMatchObject({ state: 'skipped', reason: 'SMS messaging is not activated.' })
})

test('AMB-148 API-69 only of the own site, only with the flag, and nothing without an event', async ({ server }) => {
  const { org, warden } = await textedEvent(server)
  const site = await server.given.site(org)
  const elsewhere = await server.as(await server.given.warden(site, { role: 'Chief Warden' }))
  const plain = await server.as(warden)

  expect(await elsewhere(getEventTexts, {})).toEqual({ event: null, counts: none, writing: false, ...paid })
  expect(await elsewhere(listUnreached, { query: {} })).toEqual({ persons: [], next: null })
  expect(await refused(plain(getEventTexts, {}), plain(listUnreached, { query: {} }))).toEqual([
    'forbidden',
    'forbidden',
  ])
})

test('HUB-24 RT-17 sending tells the screens of the event, in numbers only and not for each text', async ({
  server,
}) => {
  const { eventUid } = await textedEvent(server)

  await sendTexts(server)

  const told = (await server.journalOf(eventUid)).filter(({ action }) => action === 'texts_sent')
  expect(told.length).toBeLessThanOrEqual(2)
  expect(told.reduce((texts, { after }) => texts + (after as { texts: number }).texts, 0)).toBe(4)
})

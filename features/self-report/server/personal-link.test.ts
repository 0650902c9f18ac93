import { expect } from 'vitest'
import { listAccounted } from '#features/accounting/calls.ts'
import { listContradictions } from '#features/accounting/server/contradictions.queries.ts'
import { textOf } from '#features/arrival-pack/server/pack.fixture.ts'
import { listOccupants, setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { endEvent } from '#features/events/calls/events.ts'
import { getEvacueeThread, sendToEvacuee, sendToEvacueeGroup } from '#features/messaging/calls/messaging.ts'
import { everyone } from '#features/messaging/server/messaging.fixture.ts'
import { endTokens } from '#features/operation/server/backup/restore.queries.ts'
import { sendSimulatedReply } from '#features/texts/calls/simulator.ts'
import { inClients } from '#server/platform/db/db.ts'
import { endInput } from '#server/testing/event-input.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { test } from '#server/testing/server-test.ts'
import { tablesWith } from '#server/testing/tables-with.ts'
import { startTestServer, withKey } from '#server/testing/test-server.ts'
import { sendTexts, textsOn } from '#server/testing/texts.ts'
import { eventWithReports } from './self-report.fixture.ts'

type Around = Awaited<ReturnType<typeof eventWithReports>>
const record = ({ asFay, org }: Around, personId: never, status: string) =>
  asFay(setPersonStatus, { body: { personId, status, floorId: org.floorUid } })
const kindsOf = (server: Parameters<typeof eventWithReports>[0], { org, eventUid }: Around) =>
  inClients(server.database.tenant.db, [org.clientUid], async (tx) =>
    (await listContradictions(tx, org.clientUid, eventUid)).map(({ kind }) => kind),
  )

const safe = 'Thank you. You are recorded as safe.'
const confirmed = 'Thank you. A warden will confirm that you are safe.'
const needed = 'Thank you. The wardens can see that you need help. If you can, call 000.'

test('REC-20 {link} becomes the own page of each recipient, is counted at its length, and is stored nowhere', async ({
  server,
}) => {
  const around = await eventWithReports(server)
  const { asFay, ada, ben, mobiles, eventUid } = around
  // 130 characters with 46 of an address in place of six: more than one segment has
  const message = `{link} ${'x'.repeat(123)}`
  const filters = everyone({ search: 'abara' })
  const group = { filters, floors: ['all' as const], automated_response_message: 0 as const, msg: message, count: 1 }
  await asFay(sendToEvacueeGroup, { body: group }, withKey())
  await asFay(
    sendToEvacuee,
    { body: { message: 'Go {link}', receiverId: ben, automated_response_message: 0 } },
    withKey(),
  )
  await asFay(sendToEvacuee, { body: { message: '{link}', receiverId: ada, automated_response_message: 0 } }, withKey())
  const texts = await server.db
    .selectFrom('sms')
    .select(['body', 'segments'])
    .where('eventUid', '=', eventUid)
    .where('kind', '=', 'message')
    .orderBy('messageSeq')
    .execute()
  expect(texts).toEqual([
    { body: message, segments: 2 },
    { body: 'Go {link}', segments: 1 },
    { body: '{link}', segments: 1 },
  ])

  await sendTexts(server)

  const pattern = new RegExp(`^${server.config.appUrl}/s/[0-9A-Za-z]{16}$`)
  const [adas, bens] = [await textsOn(server, mobiles[0]), await textsOn(server, mobiles[1])]
  const [first = '', second = ''] = adas.toSorted((a, b) => b.length - a.length).map((text) => text.split(' ')[0])
  expect(first).toMatch(pattern)
  // one link a person and event, and each person has another
  expect(second).toBe(first)
  expect(bens[0]).toMatch(/^Go https?:/)
  expect(bens[0]?.slice(3)).not.toBe(first)
  const thread = JSON.stringify(await asFay(getEvacueeThread, { query: { toEvacuee: ada } }))
  expect(thread).toContain('{link}')
  expect(thread).not.toContain(first)
  expect(await tablesWith(server, first.split('/').at(-1) as string)).toEqual(['public.simulated_text'])
})

test('REC-21 REC-22 REC-23 REC-24 one press says safe, its form counts once, and opening changes nothing', async ({
  server,
}) => {
  const around = await eventWithReports(server)
  const { linkOf, visitor, ada, mobiles, statusOf, asFay, eventUid, org } = around
  const { path } = await linkOf(ada, mobiles[0])

  const opened = await visitor.get(path)
  expect(textOf(opened.body)).toMatch(
    new RegExp(
      `^${org.siteName} Fire I am safe I need help I need help If you can, also call 000. .* Where are you\\? .* Send$`,
    ),
  )
  expect(opened.body).not.toMatch(/Abara|name="name"|name="mobile"/)
  expect(await statusOf(ada)).toBe('unknown')

  const form = /name="form" value="([\w-]{22})"/.exec(opened.body)?.[1] ?? ''
  const answers = await Promise.all([1, 2, 3].map(() => visitor.post(path, { say: 'safe', form })))
  for (const { status, body } of answers) {
    expect(status).toBe(200)
    expect(textOf(body)).toMatch(new RegExp(`^${safe} .* ?No signal\\? Tell a warden\\.$`))
  }
  expect(await statusOf(ada)).toBe('safe')
  const told = (await server.journalOf(ada)).filter(({ action }) => action === 'evacuee_status_set')
  const { reports } = await around.list({ state: 'handled' })
  expect(told.map(({ after }) => after)).toEqual([
    expect.objectContaining({ status: 'safe', superseded: false, by_page: true, report_uid: reports[0]?.uid }),
  ])
  expect(reports).toMatchObject([{ way: 'link', says: 'safe', state: 'accepted', handled: null, person: { id: ada } }])
  const { persons } = await asFay(listOccupants, { query: {} })
  expect(persons.find(({ id }) => id === ada)).toMatchObject({ status: 'safe', by_page: true, by_sms: false })
  await record(around, ada as never, 'safe')
  const { persons: seen } = await asFay(listOccupants, { query: {} })
  expect(seen.find(({ id }) => id === ada)).toMatchObject({ status: 'safe', by_page: false, by_sms: false })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('REC-24 help always sets danger, where the person says, until they or a warden say safe', async ({ server }) => {
  const around = await eventWithReports(server)
  const { linkOf, visitor, ada, mobiles, statusOf, asFay, eventUid, org } = around
  const { path } = await linkOf(ada, mobiles[0])
  await record(around, ada as never, 'safe')

  const place = org.floors[2].slice(0, 8)
  const { body } = await visitor.post(path, { say: 'help', form: 'one', place, words: 'Behind <the> stairs' })

  expect(textOf(body)).toMatch(new RegExp(`^${needed.replaceAll('.', '\\.')} .*No signal\\? Tell a warden\\.$`))
  const { people } = await asFay(listAccounted, { query: { list: 'danger' } })
  expect(people).toMatchObject([
    {
      id: ada,
      floor: org.floors[2],
      source: { grade: 'own', by: null, own: 'page' },
      said: expect.stringMatching(/Tower A - Level 2: Behind <the> stairs$/),
    },
  ])
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
  // the same form with other words is another report
  await visitor.post(path, { say: 'safe', form: 'one' })
  expect(await statusOf(ada)).toBe('safe')
  // pressed again on a page that a phone brought back, the first word is no repetition
  await visitor.post(path, { say: 'help', form: 'one', place, words: 'Behind <the> stairs' })
  expect(await statusOf(ada)).toBe('danger')
  expect(await kindsOf(server, around)).toEqual([])
})

test("REC-24 REC-07 a warden's danger stands against the page and becomes own_safe, after whatever the page confirmed", async ({
  server,
}) => {
  const around = await eventWithReports(server)
  const { linkOf, visitor, ada, mobiles, statusOf, eventUid } = around
  const { path } = await linkOf(ada, mobiles[0])
  await record(around, ada as never, 'in danger')

  const first = await visitor.post(path, { say: 'safe', form: 'one' })
  const again = await visitor.post(path, { say: 'safe', form: 'one' })

  for (const { body } of [first, again]) expect(textOf(body).startsWith(confirmed)).toBe(true)
  expect(await statusOf(ada)).toBe('danger')
  expect(await kindsOf(server, around)).toEqual(['own_safe'])
  await visitor.post(path, { say: 'help', form: 'two' })
  expect(await kindsOf(server, around)).toEqual([])
  await visitor.post(path, { say: 'safe', form: 'three' })
  expect([await statusOf(ada), await kindsOf(server, around)]).toEqual(['danger', ['own_safe']])
  await record(around, ada as never, 'safe')
  expect([await statusOf(ada), await kindsOf(server, around)]).toEqual(['safe', []])
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('REC-25 page and reply are both own word, of which the newer counts; STOP ends no link', async ({ server }) => {
  const around = await eventWithReports(server)
  const { linkOf, visitor, ada, mobiles, asFay, org } = around
  const text = 'Reply 1 if you are safe, 2 if you need help.'
  const template = { clientUid: org.clientUid, type: 'Evacuee', code: 'C', text, automatedResponse: true }
  await server.db.insertInto('messageTemplate').values(template).execute()
  const { path } = await linkOf(ada, mobiles[0])
  await asFay(sendToEvacuee, { body: { message: text, receiverId: ada, automated_response_message: 1 } }, withKey())
  const reply = (words: string) =>
    server.stranger(sendSimulatedReply, { body: { id: crypto.randomUUID(), mobile: mobiles[0], text: words } })
  const wayOf = async () => {
    const row = await server.evacueeOf(around.eventUid, ada)
    const at = row?.statusAt?.getTime()
    return [
      row?.status,
      row?.selfStatusAt?.getTime() === at ? 'page' : row?.textStatusAt?.getTime() === at ? 'text' : '',
    ]
  }

  await reply('2')
  expect(await wayOf()).toEqual(['danger', 'text'])
  await reply('STOP')
  await visitor.post(path, { say: 'safe' })
  expect(await wayOf()).toEqual(['safe', 'page'])
  await reply('2')
  expect(await wayOf()).toEqual(['danger', 'text'])
  await visitor.post(path, { say: 'help' })
  expect(await wayOf()).toEqual(['danger', 'page'])
  await reply('START')
  await asFay(sendToEvacuee, { body: { message: text, receiverId: ada, automated_response_message: 1 } }, withKey())
  await reply('1')
  expect(await wayOf()).toEqual(['safe', 'text'])
  expect(await kindsOf(server, around)).toEqual([])
})

test('REC-23 REC-25 the link ends with its event: no press after it counts', async ({ server }) => {
  const { linkOf, visitor, ada, mobiles, manager, org, statusOf } = await eventWithReports(server)
  const { path } = await linkOf(ada, mobiles[0])

  await manager(endEvent, endInput(org, { buildings: [org.buildingUid, org.otherBuildingUid] }))

  for (const answer of [await visitor.get(path), await visitor.post(path, { say: 'help' })])
    expect([answer.status, textOf(answer.body)]).toEqual([404, expect.stringMatching(/^No event is running here\./)])
  expect(await statusOf(ada)).toBe('unknown')
})

test('T26 REC-20 a restore ends the link, and the next message brings a new one', async () => {
  await using server = await startTestServer()
  const { linkOf, visitor, ada, mobiles, fay } = await eventWithReports(server)
  const { path } = await linkOf(ada, mobiles[0])
  expect((await visitor.get(path)).status).toBe(200)

  const client = await server.database.owner.pg.connect()
  await endTokens(client).finally(() => client.release())

  expect((await visitor.post(path, { say: 'safe' })).body).toContain('No event is running here.')
  const anew = await linkOf(ada, mobiles[0], await server.as(fay))
  expect(anew.path).not.toBe(path)
  expect((await visitor.get(anew.path)).status).toBe(200)
})

test('T46 of one link ten presses a minute count, the others are told to go to a warden', async ({ server }) => {
  const { linkOf, visitor, ada, mobiles, list } = await eventWithReports(server)
  const { path } = await linkOf(ada, mobiles[0])

  const answers = await Promise.all(
    Array.from({ length: 14 }, (_, nth) => visitor.post(path, { say: 'safe', form: `f${nth}` })),
  )

  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(200), ...Array(4).fill(429)])
  expect(answers.find(({ status }) => status === 429)?.body).toContain('Please tell a warden.')
  expect((await list({ state: 'handled' })).reports).toHaveLength(10)
})

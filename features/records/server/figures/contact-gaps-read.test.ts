import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { pollEvent } from '#features/live-updates/calls/realtime.ts'
import type { EventUid } from '#kernel/ids.ts'
import { openContact } from '#server/realtime/contact/phone-contact.ts'
import { startServerWithSockets } from '#server/testing/sockets.ts'
import { startTestServer, type TestServer } from '#server/testing/test-server.ts'
import { getRecord } from '../../calls/records.ts'
import { givenDrilled, writeRecords } from '../records.fixture.ts'

/** A node that marks when the test says so. */
function nodeOf({ database }: Pick<TestServer, 'database'>) {
  const node = openContact({
    db: database.system.db,
    onTrouble: (error) => {
      throw error
    },
  })
  onTestFinished(() => node.stop())
  return node
}

async function drilled(server: TestServer) {
  const at = await givenDrilled(server)
  const eventUid = await at.start()
  const { call } = await at.warden()
  const signIn = async (warden: typeof at.ada) => (await server.signInOf(eventUid, warden))?.uid as string
  const [ada, chief] = [await signIn(at.ada), await signIn(at.chief)]
  const regained = async () =>
    (await server.journalOf(ada)).filter(({ action }) => action === 'contact_regained').map(({ eventUid: of }) => of)
  return { ...at, eventUid, call, signIns: { ada, chief }, regained }
}

/** The warden came, and was last seen, so many seconds earlier. */
async function lostFor({ db }: TestServer, signInUid: string, seconds: number) {
  const earlier = sql`make_interval(secs => ${seconds})`
  await sql`update warden_contact set seen_at = seen_at - ${earlier} where sign_in_uid = ${signInUid}`.execute(db)
  await sql`update warden_sign_in set on_duty_at = on_duty_at - ${earlier} where uid = ${signInUid}`.execute(db)
}

/** Everything of the event so far was ten minutes ago. */
async function tenMinutesAgo({ database }: TestServer, eventUid: EventUid) {
  const { db } = database.owner
  const ago = sql`interval '10 minutes'`
  await sql`update event set started_at = started_at - ${ago}, began_at = began_at - ${ago} where uid = ${eventUid}`.execute(
    db,
  )
  await sql`update journal set recorded_at = recorded_at - ${ago} where event_uid = ${eventUid}`.execute(db)
  await sql`update warden_sign_in set on_duty_at = on_duty_at - ${ago} where event_uid = ${eventUid}`.execute(db)
}

test('REC2-08 a gap is journaled once, however many nodes see the phone come back at once', async () => {
  await using server = await startTestServer()
  const { signIns, regained, eventUid } = await drilled(server)
  const markOn = (nodes: number) =>
    Promise.all(
      Array.from({ length: nodes }, () => {
        const node = nodeOf(server)
        for (const signIn of Object.values(signIns)) node.note(signIn)
        return node.markAll()
      }),
    )

  await markOn(8)
  expect(await regained()).toEqual([])
  await lostFor(server, signIns.ada, 85)
  await markOn(2)
  expect(await regained()).toEqual([])
  await lostFor(server, signIns.ada, 200)
  await markOn(8)
  expect(await regained()).toEqual([eventUid])
})

test('REC2-08 a phone that comes is marked without waiting for the minute; who is off duty is not', async () => {
  await using server = await startTestServer()
  const { signIns, regained, end } = await drilled(server)
  const first = nodeOf(server)
  first.note(signIns.ada)
  await first.markAll()
  await lostFor(server, signIns.ada, 200)

  nodeOf(server).note(signIns.ada)
  await expect.poll(regained, { timeout: 5000 }).toHaveLength(1)

  await lostFor(server, signIns.ada, 200)
  await end()
  const late = nodeOf(server)
  late.note(signIns.ada)
  await late.markAll()
  expect(await regained()).toHaveLength(1)
})

test('REC2-08 AAR-23 the record tells who was out of contact, and beyond the reach of the reader only how many', async () => {
  let note = (_signIn: string) => {}
  await using server = await startTestServer({ noteContact: (signIn) => note(signIn) })
  const { call, signIns, eventUid, end, record, org } = await drilled(server)
  const before = nodeOf(server)
  for (const signIn of Object.values(signIns)) before.note(signIn)
  await before.markAll()
  await tenMinutesAgo(server, eventUid)
  await lostFor(server, signIns.ada, 500)
  const node = nodeOf(server)
  note = node.note
  await call(pollEvent, {})
  await node.markAll()
  note = () => {}
  await end()
  await writeRecords(server)

  const { record: written } = await record(eventUid)
  expect(written?.contact).toMatchObject({
    wardens: 1,
    to_the_end: 0,
    service: [],
    gaps: [{ name: expect.stringContaining('Ada'), role: 'Floor Warden' }],
  })
  const [gap] = written?.contact?.gaps ?? []
  expect(Math.round((gap?.from ?? 0) / 10)).toBe(10)
  expect(Math.round((gap?.to ?? 0) / 10)).toBe(60)
  expect(written?.sentences).toContainEqual({
    number: 14,
    evidence: 'contact',
    text: 'The phone of 1 warden on duty was out of contact for more than 90 s, 0 of them at the end.',
  })
  const neighbour = await server.as(
    await server.given.warden(org, { floorUid: org.floors[1], modules: ['Module_Event_Records'] }),
  )
  const theirs = await neighbour(getRecord, { params: { eventUid } })
  expect(theirs.record?.contact).toMatchObject({ wardens: 1, gaps: [] })
  expect(theirs.record?.sentences.map(({ number }) => number)).toContain(14)
})

test('AAR-06 REC2-08 an event of which no phone was seen says nothing about contact', async () => {
  await using server = await startTestServer()
  const { eventUid, end, record } = await drilled(server)
  await end()
  await writeRecords(server)

  const { record: written } = await record(eventUid)
  expect(written?.contact).toBeNull()
  expect(written?.sentences.map(({ number }) => number)).not.toContain(14)
})

test('REC2-08 a socket is contact when it opens, while it is open and when it closes', async () => {
  const noted: string[] = []
  await using server = await startServerWithSockets({ noteContact: (signIn) => noted.push(signIn) })
  const { call, signIns } = await drilled(server)

  const { phone } = await server.connect(call)
  await expect.poll(() => noted).toEqual([signIns.ada])
  expect([...server.hub.participations()]).toEqual([signIns.ada])
  phone.client.disconnect()
  await expect.poll(() => noted).toEqual([signIns.ada, signIns.ada])
  expect([...server.hub.participations()]).toEqual([])
})

test('REC2-08 any request of a warden on duty is contact; that which ends the event ends no gap', async () => {
  const noted: string[] = []
  await using server = await startTestServer({ noteContact: (signIn) => noted.push(signIn) })
  const { call, signIns, end, regained } = await drilled(server)
  noted.length = 0

  await call(pollEvent, {})
  expect(noted).toEqual([signIns.ada])
  const node = nodeOf(server)
  node.note(signIns.ada)
  node.note(signIns.chief)
  await node.markAll()
  await lostFor(server, signIns.chief, 200)
  noted.length = 0
  await end()

  expect(noted).toEqual([signIns.chief])
  const late = nodeOf(server)
  for (const signIn of noted) late.note(signIn)
  await late.markAll()
  expect(await regained()).toEqual([])
  expect((await server.journalOf(signIns.chief)).filter(({ action }) => action === 'contact_regained')).toEqual([])
})

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { test as base, expect } from 'vitest'
import { endEvent } from '#features/events/calls/events.ts'
import type { PersonUid } from '#kernel/ids.ts'
import type { RetentionDays } from '#server/platform/config/config.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { endInput } from '#server/testing/event-input.ts'
import { oldDrill, sealWhole } from '#server/testing/event-log.ts'
import { startTestServer, type TestServer } from '#server/testing/test-server.ts'
import { forget } from './retention.service.ts'

/** A server of its own for each test: what is deleted, is deleted everywhere. */
// biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
const test = base.extend('server', async ({}, { onCleanup }) => {
  const server = await startTestServer()
  onCleanup(() => server[Symbol.asyncDispose]())
  return server
})
const never: RetentionDays = {}
const nothing = { messages: 0, events: 0, audit: 0, peeps: 0 }
const forgetIn = ({ database }: TestServer, days: RetentionDays, step?: Parameters<typeof forget>[2]) =>
  forget(database.system, days, step)
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

/** A running event with a warden on duty, in which everyone was texted and written to. */
async function busyEvent(server: TestServer) {
  const { given } = server
  const org = await given.organisation({ smsAllowed: true })
  const warden = await given.warden(org)
  const person = await given.occupant(org)
  const event = await server.runningEvent(org, { alertToWarden: 'yes', broadcastMessage: 'yes' })
  await server.onDuty(warden)
  const recipient = await server.signInOf(event.eventUid, warden)
  const { clientUid } = org
  const between = { clientUid, senderSignInUid: event.signInUid, recipientSignInUid: recipient?.uid as string }
  await given.wardenMessage(event.eventUid, between)
  await given.evacueeMessage(event.eventUid, person, { direction: 'in' })
  const kept = { kind: 'late_safe', subjectUid: person, state: '1.2.1', reason: 'Seen by both' }
  await server.db
    .insertInto('contradictionKept')
    .values({ clientUid, eventUid: event.eventUid, bySignInUid: event.signInUid, ...kept })
    .execute()
  return { ...event, org }
}

/** One that ended so many days ago. */
async function endedEvent(server: TestServer, days: number) {
  const event = await busyEvent(server)
  await event.manager(endEvent, endInput(event.org))
  await server.db
    .updateTable('event')
    .set({ endedAt: daysAgo(days) })
    .where('uid', '=', event.eventUid)
    .execute()
  return event
}

/** How many rows of each table belong to the event; those without any are left out. */
async function rowsOf({ db }: TestServer, eventUid: string) {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'event_uid' order by 1`.execute(db)
  const counts: Record<string, number> = {}
  for (const { name } of [...tables, { name: 'event' }]) {
    const key = name === 'event' ? sql.ref('uid') : sql.ref('event_uid')
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from ${sql.table(name)} where ${key} = ${eventUid}`.execute(db)
    if (rows[0]?.n) counts[name] = rows[0].n
  }
  return counts
}

/** Notes each row that is deleted from now on. Answers how many were so in each transaction: by table, and of the event in all. */
async function watchDeletions({ database }: TestServer) {
  const { db } = database.owner
  await sql`create table deletion (xid xid8 default pg_current_xact_id(), of text)`.execute(db)
  await sql`
    create function note_deletion() returns trigger language plpgsql security definer as $$
      begin insert into deletion (of) values (tg_table_name); return null; end $$`.execute(db)
  const tables = [
    'sms',
    'message',
    'report_in_link',
    'warden_sign_in',
    'evacuee',
    'tally',
    'contradiction_kept',
    'command_turn',
    'event_floor',
    'event_building',
    'event',
    'journal',
    'idempotency',
  ]
  for (const table of tables)
    await sql`
      create trigger noted after delete on ${sql.table(table)} for each row execute function note_deletion()`.execute(
      db,
    )
  return async () => {
    const { rows } = await sql<{ xid: string; of: string; count: number }>`
      select xid::text, of, count(*)::int as count from deletion group by xid, of`.execute(db)
    const byTable = new Map(
      [...Map.groupBy(rows, ({ of }) => of)].map(([of, group]) => [of, group.map(({ count }) => count)]),
    )
    const ofEvent = rows.filter(({ of }) => of !== 'journal' && of !== 'idempotency')
    const inAll = [...Map.groupBy(ofEvent, ({ xid }) => xid).values()].map((group) =>
      group.reduce((sum, { count }) => sum + count, 0),
    )
    return { byTable, inAll }
  }
}

test('PACK-11 T27 who opened a pack goes with the messages, and the pack with its event', async ({ server }) => {
  const { org, eventUid, manager, signInUid } = await busyEvent(server)
  const { clientUid } = org
  await manager(endEvent, endInput(org))
  const ended = (days: number) =>
    server.db
      .updateTable('event')
      .set({ endedAt: daysAgo(days) })
      .where('uid', '=', eventUid)
      .execute()
  await server.db.insertInto('hazard').values({ clientUid, eventUid, bySignInUid: signInUid, words: 'Gas' }).execute()
  const made = { tokenHash: randomBytes(32), plans: true, expiresAt: new Date() }
  const { uid: packUid } = await server.db
    .insertInto('arrivalPack')
    .values({ clientUid, eventUid, bySignInUid: signInUid, ...made })
    .returning('uid')
    .executeTakeFirstOrThrow()
  const who = { name: 'Kim, Engine 4', network: '203.0.113.0/24', agent: 'Safari, iPhone' }
  await server.db
    .insertInto('arrivalPackReader')
    .values({ clientUid, packUid, readerHash: randomBytes(32), times: 3, ...who })
    .execute()
  const readers = () =>
    server.db.selectFrom('arrivalPackReader').select(['name', 'network', 'agent', 'times']).execute()

  await ended(91)
  await forgetIn(server, { messages: 90 })
  expect(await readers()).toEqual([{ name: '', network: '', agent: '', times: 3 }])
  expect(await rowsOf(server, eventUid)).toMatchObject({ hazard: 1, arrival_pack: 1 })

  await forgetIn(server, { events: 90 })
  expect(await readers()).toEqual([])
  expect(await rowsOf(server, eventUid)).not.toMatchObject({ event: 1 })
})

test('PEEP-05 T27 plans that were seen go with the audit log, and who was told of them with the event', async ({
  server,
}) => {
  const { org, eventUid, manager, signInUid } = await busyEvent(server)
  await manager(endEvent, endInput(org))
  const personUid = await server.given.occupant(org)
  const of = { clientUid: org.clientUid, eventUid, personUid }
  await server.db.insertInto('planNotice').values(of).execute()
  const seen = { ...of, readerUid: signInUid, way: 'list' }
  await server.db
    .insertInto('planSeen')
    .values({ ...seen, seenAt: daysAgo(31) })
    .execute()
  await server.db
    .updateTable('event')
    .set({ endedAt: daysAgo(31) })
    .where('uid', '=', eventUid)
    .execute()

  await forgetIn(server, { events: 30 })
  expect(await rowsOf(server, eventUid)).toMatchObject({ plan_seen: 1 })
  expect(await rowsOf(server, eventUid)).not.toMatchObject({ plan_notice: 1 })

  await forgetIn(server, { audit: 30 })
  expect(await rowsOf(server, eventUid)).not.toMatchObject({ plan_seen: 1 })
})

test('REC-21 T27 what strangers wrote of themselves goes with the messages, and the reports with their event', async ({
  server,
}) => {
  const { org, eventUid, manager, signInUid } = await busyEvent(server)
  const { clientUid } = org
  await manager(endEvent, endInput(org))
  const ended = (days: number) =>
    server.db
      .updateTable('event')
      .set({ endedAt: daysAgo(days) })
      .where('uid', '=', eventUid)
      .execute()
  const said = {
    saidName: 'Kim Lee',
    saidMobile: '61491570006',
    words: 'Stair B',
    network: '203.0.113.7',
    home: '203.0.113.7',
    site: '203.0.113.0/24',
  }
  const handled = { state: 'answered', who: 'Engine 4', bySignInUid: signInUid, handledAt: new Date() }
  await server.db
    .insertInto('selfReport')
    .values({
      clientUid,
      eventUid,
      way: 'poster',
      status: 'help',
      formKey: randomBytes(32),
      at: new Date(),
      ...said,
      ...handled,
    })
    .execute()
  const columns = ['saidName', 'saidMobile', 'words', 'network', 'home', 'site', 'who', 'state'] as const
  const reports = () => server.db.selectFrom('selfReport').select(columns).where('eventUid', '=', eventUid).execute()

  await ended(91)
  await forgetIn(server, { messages: 90 })
  const nothing = { saidName: null, saidMobile: null, words: null, home: null, site: null, who: null }
  expect(await reports()).toEqual([{ ...nothing, network: '', state: 'answered' }])

  await forgetIn(server, { events: 90 })
  expect(await reports()).toEqual([])
  expect(await rowsOf(server, eventUid)).not.toMatchObject({ event: 1 })
})

test('T27 NUM-03 the number and the words of a call go with the messages, and the rest with the event', async ({
  server,
}) => {
  const { org, eventUid, manager, chief } = await busyEvent(server)
  const { clientUid } = org
  await manager(endEvent, endInput(org))
  const ended = { endedAt: daysAgo(91) }
  await server.db.updateTable('event').set(ended).where('uid', '=', eventUid).execute()
  const { rows: reaches } = await sql<{ uid: string }>`
    insert into reach (client_uid, event_uid, class, about, person_uid, step, next_at, state)
    values (${clientUid}, ${eventUid}, 'ask', '1', ${chief.personUid}, 1, 'infinity', 'answered') returning uid`.execute(
    server.db,
  )
  const reachUid = reaches[0]?.uid as string
  const called = { clientUid, eventUid, reachUid, way: 'second_call', status: 'delivered', digit: '1' }
  const call = () =>
    server.db
      .insertInto('ring')
      .values(Object.assign({ toMobile: '61391000009', say: 'Are you safe?' }, called))
      .execute()
  const calls = () =>
    server.db
      .selectFrom('ring')
      .select(['toMobile', 'say', 'digit', 'status'])
      .where('reachUid', '=', reachUid)
      .execute()
  const left = { toMobile: null, say: null, digit: '1', status: 'delivered' }
  await call()

  await forgetIn(server, { messages: 90 })
  expect(await calls()).toEqual([left])

  // the messages have gone already
  await call()
  await forgetIn(server, { messages: 90 })
  expect(await calls()).toEqual([left, left])

  await forgetIn(server, { events: 90 })
  expect(await calls()).toEqual([])
})

test('T27 AMB-153 what the operator gives no time to stays for ever', async ({ server }) => {
  const { eventUid } = await endedEvent(server, 8 * 365)
  const before = await rowsOf(server, eventUid)

  expect(await forgetIn(server, never)).toEqual(nothing)

  expect(await rowsOf(server, eventUid)).toEqual(before)
})

test('T27 messages and texts go after their days, and the record of the event stays', async ({ server }) => {
  const old = await endedEvent(server, 91)
  const young = await endedEvent(server, 89)
  const { message, sms, broadcast, ...record } = await rowsOf(server, old.eventUid)
  const youngRows = await rowsOf(server, young.eventUid)
  expect([message, sms]).toEqual([expect.any(Number), expect.any(Number)])

  const { messages } = await forgetIn(server, { messages: 90 })

  expect(messages).toBe((message ?? 0) + (sms ?? 0) + (broadcast ?? 0))
  expect(await rowsOf(server, old.eventUid)).toEqual(record)
  expect(await rowsOf(server, young.eventUid)).toEqual(youngRows)
  expect(await forgetIn(server, { messages: 90 })).toEqual(nothing)
})

test('T27 texts that belong to no event go after the days of messages', async ({ server }) => {
  const { clientUid } = await server.given.organisation()
  const link = { clientUid, kind: 'sign_in_link', body: 'Sign in: {link}', status: 'delivered', validUntil: new Date() }
  await server.db
    .insertInto('sms')
    .values([91, 89].map((days) => ({ ...link, createdAt: daysAgo(days) })))
    .execute()

  expect((await forgetIn(server, { messages: 90 })).messages).toBe(1)
})

test('T27 an event goes whole after its days, and takes nothing of another with it', async ({ server }) => {
  const old = await endedEvent(server, 7 * 365 + 2)
  const young = await endedEvent(server, 7 * 365 - 2)
  const running = await busyEvent(server)
  const others = async () => [await rowsOf(server, young.eventUid), await rowsOf(server, running.eventUid)]
  const before = await others()

  expect(await forgetIn(server, { events: 7 * 365 })).toEqual({ ...nothing, events: 1 })

  expect(Object.keys(await rowsOf(server, old.eventUid))).toEqual(['journal'])
  expect(await others()).toEqual(before)
  expect(await forgetIn(server, { events: 7 * 365 })).toEqual(nothing)
})

test('T27 RT-17 the feed waits for a few rows at a time, never for a whole event or the whole journal', async ({
  server,
}) => {
  const { eventUid } = await endedEvent(server, 40)
  await sql`
    insert into journal (client_uid, action, subject_type, subject_uid, recorded_at)
    select gen_random_uuid(), 'signed_in', 'session', gen_random_uuid(), ${daysAgo(40)} from generate_series(1, 300)
    `.execute(server.db)
  await sql`
    insert into idempotency (person_uid, key, fingerprint, recorded_at)
    select gen_random_uuid(), 'key', '', ${daysAgo(8)} from generate_series(1, 300)`.execute(server.db)
  const { sms } = await rowsOf(server, eventUid)
  const inOneTransaction = await watchDeletions(server)

  await forgetIn(server, { events: 30, audit: 30 }, { rows: 3, pages: 1 })

  const { byTable: sizes, inAll } = await inOneTransaction()
  expect(sizes.get('sms')?.length).toBe(Math.ceil((sms as number) / 3))
  for (const table of ['journal', 'idempotency']) {
    expect(sizes.get(table)?.reduce((sum, count) => sum + count)).toBe(300)
    expect(sizes.get(table)?.length).toBeGreaterThan(2)
  }
  expect(Math.max(...inAll)).toBe(3)
  expect(sizes.get('event')).toEqual([1])
})

test('T27 an event whose deletion is cut short is gone after the next', async ({ server }) => {
  const { eventUid } = await endedEvent(server, 40)
  const { db } = server.database.owner
  await sql`
    create function cut() returns trigger language plpgsql as $$ begin raise 'cut short'; end $$`.execute(db)
  await sql`create trigger cut before delete on evacuee for each row execute function cut()`.execute(db)
  await expect(forgetIn(server, { events: 30 }, { rows: 3, pages: 1 })).rejects.toThrow('cut short')
  const rest = await rowsOf(server, eventUid)
  expect([rest.sms, rest.message, rest.event]).toEqual([undefined, undefined, 1])
  await sql`drop trigger cut on evacuee`.execute(db)

  expect(await forgetIn(server, { events: 30 })).toEqual({ ...nothing, events: 1 })

  expect(Object.keys(await rowsOf(server, eventUid))).toEqual(['journal'])
})

test('T27 whatever refers to what is deleted is found by an index', async ({ server }) => {
  const { rows } = await sql<{ reference: string }>`
    select c.conrelid::regclass || ' (' || string_agg(a.attname, ', ' order by k.n) || ')' as reference
    from pg_constraint c
    cross join unnest(c.conkey) with ordinality as k (attnum, n)
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.attnum
    where c.contype = 'f' and c.confrelid = any (array['event', 'warden_sign_in', 'report_in_link', 'message', 'sms', 'evacuee']::regclass[])
      and not exists (
        select from pg_index i where i.indrelid = c.conrelid
          and (select array_agg(x order by x) from unnest((i.indkey::int2[])[0:cardinality(c.conkey) - 1]) x)
            = (select array_agg(x order by x) from unnest(c.conkey) x)
          and coalesce(pg_get_expr(i.indpred, i.indrelid), 'IS NOT NULL') ~ '^\\(?\\w* ?IS NOT NULL\\)?$')
    group by c.oid, c.conrelid order by 1`.execute(server.db)

  // a client has few of these, and walking them costs nothing
  expect(rows.map(({ reference }) => reference)).toEqual([
    'broadcast (client_uid, sender_sign_in_uid)',
    'event (client_uid, ended_by_sign_in_uid)',
    'event (client_uid, started_by_sign_in_uid)',
  ])
})

test('T27 however many workers clear up at once, each event goes once', async ({ server }) => {
  for (let n = 0; n < 4; n += 1) await endedEvent(server, 40)

  const all = await Promise.all(Array.from({ length: 4 }, () => forgetIn(server, { events: 30 })))

  expect(all.reduce((sum, { events }) => sum + events, 0)).toBe(4)
})

test('T27 SEAL-04 the journal of an event goes so many days after its end, whole, but for what its log tells of itself', async ({
  server,
}) => {
  const [old, young] = [await oldDrill(server, 31), await oldDrill(server, 29)]
  for (const { of } of [old, young]) await sealWhole(server, of)
  const before = (await rowsOf(server, young.eventUid)).journal
  const left = async (eventUid: string) => {
    const { rows } = await sql<{ action: string }>`
      select distinct action from journal where event_uid = ${eventUid} order by 1`.execute(server.db)
    return rows.map(({ action }) => action)
  }

  expect(await forgetIn(server, { audit: 30 })).toMatchObject({ audit: expect.any(Number) })

  expect(await left(old.eventUid)).toEqual(['lines_erased', 'log_opened', 'names_kept'])
  expect((await rowsOf(server, young.eventUid)).journal).toBe(before)
  expect(await forgetIn(server, { audit: 30 })).toEqual(nothing)
})

test('T27 a plan that has ended goes after its days; one that holds stays', async ({ server }) => {
  const org = await server.given.organisation()
  const [ended, holds] = [await server.given.occupant(org), await server.given.occupant(org)]
  for (const person of [ended, holds]) await server.given.peep(org, person)
  const updatedAt = new Date(Date.now() - 31 * 86_400_000)
  await server.db.updateTable('peep').set({ updatedAt }).where('personUid', 'in', [ended, holds]).execute()
  await server.db.updateTable('peep').set({ active: false }).where('personUid', '=', ended).execute()

  expect(await forgetIn(server, { peeps: 30 })).toEqual({ ...nothing, peeps: 1 })

  const left = await server.db.selectFrom('peep').select('personUid').where('clientUid', '=', org.clientUid).execute()
  expect(left).toEqual([{ personUid: holds }])
})

test('T27 the plan of someone who has left goes after the days, too', async ({ server }) => {
  const org = await server.given.organisation()
  const gone = await server.given.occupant(org)
  const leaving = await server.given.occupant(org)
  const here = await server.given.occupant(org)
  for (const person of [gone, leaving, here]) await server.given.peep(org, person)
  const leave = (person: PersonUid, updatedAt: Date) =>
    server.db.updateTable('person').set({ active: false, updatedAt }).where('uid', '=', person).execute()
  await leave(gone, daysAgo(31))
  await leave(leaving, daysAgo(29))
  await server.db
    .updateTable('person')
    .set({ updatedAt: daysAgo(31) })
    .where('uid', '=', here)
    .execute()

  expect(await forgetIn(server, { peeps: 30 })).toEqual({ ...nothing, peeps: 1 })

  const left = await server.db.selectFrom('peep').select('personUid').where('clientUid', '=', org.clientUid).execute()
  expect(left.map(({ personUid }) => personUid).sort()).toEqual([leaving, here].sort())
})

test('T27 what has expired goes whatever the operator says', async ({ server }) => {
  const { signIn, db, given } = server
  const { email } = await given.warden(await given.organisation())
  await signIn(email)
  await signIn(email)
  const sessions = () => db.selectFrom('session').select('uid').execute()
  const [first, second] = (await sessions()).slice(-2)
  const monthAgo = new Date(Date.now() - 31 * 86_400_000)
  await db
    .updateTable('session')
    .set({ expiresAt: monthAgo })
    .where('uid', '=', first?.uid as string)
    .execute()

  await forgetIn(server, never)

  const left = (await sessions()).map(({ uid }) => uid)
  expect(left).not.toContain(first?.uid)
  expect(left).toContain(second?.uid)
})

test('T27 sessions and invitations of administrators go a month after their end, tickets a day after', async ({
  server,
}) => {
  const admin = await givenAdministrator(server, await server.given.organisation())
  const { clientUid, personUid, accountUid } = admin
  for (const days of [32, 29, 2, 0]) {
    const expiresAt = daysAgo(days)
    const own = { tokenHash: randomBytes(32), expiresAt }
    await asAdministrator(server, admin, { expiresAt })
    await server.db
      .insertInto('invitation')
      .values({ clientUid, personUid, ...own })
      .execute()
    const ticket = { accountUid, step: 'code', passwordDigest: randomBytes(32), ...own }
    await server.db.insertInto('consoleTicket').values(ticket).execute()
  }

  await forgetIn(server, never)

  const left = async (table: 'consoleSession' | 'invitation' | 'consoleTicket') =>
    (await server.db.selectFrom(table).select('expiresAt').execute()).length
  expect([await left('consoleSession'), await left('invitation'), await left('consoleTicket')]).toEqual([3, 3, 1])
})

test('ORG-38 the own days of an organisation take the place of the installation, for events and audit also longer ones', async ({
  server,
}) => {
  const [own, usual] = [await endedEvent(server, 500), await endedEvent(server, 500)]
  const entriesOf = async ({ org }: typeof own) =>
    (await server.db.selectFrom('journal').select('position').where('clientUid', '=', org.clientUid).execute()).length
  await server.db
    .updateTable('journal')
    .set({ recordedAt: daysAgo(500) })
    .execute()
  const kept = await entriesOf(own)
  const days = { retainEventsDays: 600, retainAuditDays: 600 }
  await server.db.updateTable('client').set(days).where('uid', '=', own.org.clientUid).execute()

  const forgotten = await forgetIn(server, { events: 400, audit: 400 })

  expect(forgotten.events).toBe(1)
  expect((await rowsOf(server, own.eventUid)).event).toBe(1)
  expect((await rowsOf(server, usual.eventUid)).event).toBeUndefined()
  expect([await entriesOf(own), await entriesOf(usual)]).toEqual([kept, 0])
  // the installation says nothing: only who has days of their own loses anything
  await server.db
    .updateTable('client')
    .set({ retainEventsDays: 365, retainAuditDays: 365 })
    .where('uid', '=', own.org.clientUid)
    .execute()
  expect(await forgetIn(server, never)).toMatchObject({ events: 1, audit: kept })
})

test('ORG-38 of messages and plans the shorter days count', async ({ server }) => {
  const [short, long] = [await endedEvent(server, 80), await endedEvent(server, 80)]
  const setDays = (uid: typeof short.org.clientUid, retainMessagesDays: number, retainPeepsDays: number) =>
    server.db.updateTable('client').set({ retainMessagesDays, retainPeepsDays }).where('uid', '=', uid).execute()
  await setDays(short.org.clientUid, 60, 60)
  await setDays(long.org.clientUid, 900, 900)
  for (const { org } of [short, long]) await server.given.peep(org, await server.given.occupant(org))
  await server.db
    .updateTable('peep')
    .set({ active: false, updatedAt: daysAgo(80) })
    .execute()
  const messagesOf = async ({ eventUid }: typeof short) => (await rowsOf(server, eventUid)).message ?? 0
  const plansOf = async ({ org }: typeof short) =>
    (await server.db.selectFrom('peep').select('uid').where('clientUid', '=', org.clientUid).execute()).length

  await forgetIn(server, { messages: 70, peeps: 90 })
  expect([await messagesOf(short), await messagesOf(long)]).toEqual([0, 0])
  expect([await plansOf(short), await plansOf(long)]).toEqual([0, 1])

  expect((await forgetIn(server, { peeps: 70 })).peeps).toBe(1)
})

import { sql } from 'kysely'
import { writeBroadcastPage } from '#features/events/server/broadcast.queries.ts'
import { startOrExtend } from '#features/events/server/start-event.service.ts'
import * as demo from '#features/operation/server/demo-drill/demo-drill.queries.ts'
import { openStage } from '#features/operation/server/demo-drill/stage.ts'
import type { BuildingUid, EventUid } from '#kernel/ids.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import type { Deed } from '../reference/deeds.fixture.ts'
import { sendLate, signInOf } from './after-the-end.fixture.ts'
import { findActionStatuses } from './changes.fixture.ts'
import { build } from './given-world.fixture.ts'
import { Running } from './running.fixture.ts'
import { dutiesOf, type Script } from './script.fixture.ts'
import { chiefOf, type Stage, type Underway } from './stage.fixture.ts'

export type Played = Awaited<ReturnType<typeof play>>

/**
 * Plays a script by the services of the product. Each act is dated by the script's clock, and noted if the product took it. It
 * starts at `from`, or five hours ago.
 */
export async function play(server: TestServer, script: Script, from: Date | null = null) {
  const { org, site, uids, codes, world, floors } = await build(server, script)
  const deeds: Deed[] = []
  const played = await server.database.system.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ startAt: Date; lead: number }>`
      select t.at as start_at, extract(epoch from now() - t.at)::float8 as lead
      from (select coalesce(${from}::timestamptz, date_trunc('minute', now()) - interval '5 hours') as at) t`.execute(
      tx,
    )
    const { startAt, lead } = rows[0] as { startAt: Date; lead: number }
    const stage = await openStage(server.app, tx, { clientUid: org.clientUid, startAt })
    const signed = new Map<string, Awaited<ReturnType<typeof stage.signIn>>>()
    for (const { id, takesPart } of world.wardens)
      if (takesPart) signed.set(id, await stage.signIn(codes.get(id)?.code ?? '', 'iPhone'))
    const stageOf: Stage = { server, stage, tx, uids, world, floors, deeds, signed, org, site, lead }
    return playOn(stageOf, script)
  })
  return { ...played, startAt: played.startAt, world, deeds, uids, org, codes, hasContact: script.plan.hasContact }
}

/** Tables with times that count, or by which the product orders records. */
const dated = new Set([
  ...[
    'event',
    'event_building',
    'event_floor',
    'evacuee',
    'journal',
    'warden_sign_in',
    'sms',
    'floor_claim',
    'instruction',
  ],
])

async function playOn(on: Stage, { plan, acts, late, rest = 7 }: Script) {
  const { stage, deeds, world, uids, tx, server } = on
  const first = world.buildings.filter((_, nth) => plan.starts[nth]).map(({ id }) => id)
  const starting = first.length > 0 ? first : ['b0']
  const { event } = await startOrExtend(server.app, tx, await chiefOf(on), {
    buildings: starting.map((id) => uids.get(id) as BuildingUid),
    eventType: on.org.eventTypeUid,
    message: 'Leave now.',
    broadcastMessage: 'yes',
    alertToWarden: 'yes',
    kind: world.isDrill ? 'drill' : 'live',
  })
  while (await writeBroadcastPage(tx));
  const eventUid = event?.id as EventUid
  const tables = (await demo.listTimesOfEvents(tx)).filter(({ name }) => dated.has(name))
  const date = (seconds: number) => demo.dateRows(tx, tables, { eventUid, at: stage.moment(seconds) })
  await stage.dated(eventUid, 0)
  deeds.push({ did: 'start', by: 'w0', at: 0, buildings: starting })
  await findActionStatuses(on)
  const underway: Underway = { ...on, eventUid }
  const running = new Running(underway)
  let at = 0
  for (const one of acts) {
    at += one.after
    const done = await running.act(one, at).catch((error: unknown) => {
      if (error instanceof Refusal) return null
      throw error
    })
    if (!done) continue
    await date(at)
    deeds.push(...done)
  }
  at += rest
  await running.end(at)
  deeds.push({ did: 'end', by: 'w0', at })
  for (const one of late) {
    const kept = await sendLate(underway, one, at)
    await date(at + one.after)
    deeds.push(...(kept ?? []))
  }
  await sql`set local role none`.execute(tx)
  await sql`update journal set observed_at = date_trunc('milliseconds', observed_at + interval '500 microseconds')
    where event_uid = ${eventUid} and observed_at is not null`.execute(tx)
  for (const table of ['building', 'floor', 'floor_status', 'warden_role'])
    await sql`update ${sql.table(table)} set name = 'Renamed ' || name where client_uid = ${on.org.clientUid}`.execute(
      tx,
    )
  await noteContact(underway, plan.hasContact, at)
  await stage.close(-90)
  return { eventUid, startAt: stage.moment(0) }
}

/**
 * What a phone, a node or the sealer notes of times without contact, as rows with dates: the product notes them by the clock of
 * the database once such a time is over, so its own calls would take as long.
 */
async function noteContact(on: Underway, has: boolean, end: number) {
  const { tx, stage, deeds, world, signed, org, eventUid } = on
  const time = (seconds: number) => stage.moment(seconds)
  for (const deed of deeds)
    if (deed.did === 'outage')
      await sql`insert into journal (client_uid, event_uid, action, subject_type, subject_uid, after, recorded_at)
        values (${org.clientUid}, ${eventUid}, 'service_gap', 'event', ${eventUid},
          ${JSON.stringify({ from: time(deed.at), to: time(deed.until), what: deed.what })}::jsonb, ${time(deed.until)})`.execute(
        tx,
      )
  if (!has) return
  for (const { id } of world.wardens) {
    if (!signed.has(id)) continue
    const signIn = await signInOf(on, id)
    if (!signIn) continue
    const silences = deeds.filter((deed) => deed.did === 'silent' && deed.by === id) as { at: number; until: number }[]
    const spans = dutiesOf(deeds, id, end)
    const last = spans.at(-1)
    const seen = silences.reduce(
      (then, { at, until }) => (until >= (last?.to ?? 0) ? Math.min(then, Math.max(at, 0)) : then),
      end,
    )
    await sql`insert into warden_contact (client_uid, sign_in_uid, seen_at) values (${org.clientUid}, ${signIn}, ${time(seen)})
      on conflict (client_uid, sign_in_uid) do update set seen_at = excluded.seen_at`.execute(tx)
    for (const { at, until } of silences) {
      const duty = spans.find(({ from, to }) => from <= until && until < to)
      if (!duty || until >= (last?.to ?? 0) || until - Math.max(at, duty.from) <= 90) continue
      await sql`insert into journal (client_uid, event_uid, actor_sign_in_uid, action, subject_type, subject_uid, before, after, recorded_at)
        values (${org.clientUid}, ${eventUid}, ${signIn}, 'contact_regained', 'sign_in', ${signIn},
          ${JSON.stringify({ seen_at: time(Math.max(at, duty.from)) })}::jsonb, ${JSON.stringify({ seen_at: time(until) })}::jsonb, ${time(until)})`.execute(
        tx,
      )
    }
  }
}

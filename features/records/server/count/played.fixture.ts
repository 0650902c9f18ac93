import fc from 'fast-check'
import { sql } from 'kysely'
import { noteUnderstood, send } from '#features/command/server/instruction.service.ts'
import { claimFloor, giveBackFloor } from '#features/coverage/server/floor-claims.service.ts'
import { joinEventsAt } from '#features/directory/server/join-events.ts'
import { goOffDuty } from '#features/duty/server/go-on-duty.service.ts'
import { writeBroadcastPage } from '#features/events/server/broadcast.queries.ts'
import { shrinkOrEnd } from '#features/events/server/end-event.service.ts'
import { makeLive } from '#features/events/server/made-live.service.ts'
import { startOrExtend } from '#features/events/server/start-event.service.ts'
import * as demo from '#features/operation/server/demo-drill/demo-drill.queries.ts'
import { openStage } from '#features/operation/server/demo-drill/stage.ts'
import type {
  BuildingUid,
  EventUid,
  FloorStatusUid,
  FloorUid,
  InstructionUid,
  PersonUid,
  SignInUid,
} from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import type { DutyActor } from '#server/wardens/actor.ts'
import { journalActor } from '#server/wardens/actor.ts'
import type { Deed, World } from './reference/model.ts'

/** A building with so many floors; what people and wardens are, by numbers that are read modulo what there is. */
const plan = fc.record({
  isDrill: fc.boolean(),
  hasClear: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
  hasContact: fc.integer({ min: 0, max: 9 }).map((n) => n > 1),
  buildings: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 3, size: 'max' }),
  people: fc.array(fc.record({ home: fc.nat(20), isPlanned: fc.boolean(), isVisitor: fc.boolean() }), {
    maxLength: 30,
    size: 'max',
  }),
  wardens: fc.array(
    fc.record({
      desk: fc.nat(20),
      domain: fc.constantFrom('Site', 'Building', 'Floor'),
      area: fc.nat(20),
      modules: fc.nat(5),
    }),
    { maxLength: 5, size: 'max' },
  ),
  starts: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
})
const act = fc.record({
  what: fc.constantFrom(
    ...([
      'mark',
      'mark',
      'mark',
      'mark',
      'mark',
      'mark',
      'mark',
      'mark',
      'mark',
      'floor',
      'floor',
      'floor',
      'refuse',
      'refuse',
      'on',
      'on',
      'on',
    ] as const),
    ...([
      'away',
      'off',
      'add',
      'remove',
      'remove',
      'live',
      'take',
      'give',
      'visit',
      'call',
      'answer',
      'instruct',
    ] as const),
    ...(['understand', 'silent', 'silent', 'outage'] as const),
  ),
  who: fc.nat(20),
  whom: fc.nat(40),
  where: fc.nat(20),
  how: fc.nat(20),
  /** Seconds until it happens. */
  after: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 25 }) }, fc.integer({ min: 60, max: 200 })),
  /** How long before that it was seen. Null: the phone does not say. */
  ago: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 5 }), fc.integer({ min: -20, max: 400 })),
})
export const scripts = fc.record({
  plan,
  acts: fc.array(act, { minLength: 4, maxLength: 90, size: 'max' }),
  seed: fc.nat(1000),
})
type Script = typeof scripts extends fc.Arbitrary<infer S> ? S : never
export type Act = Script['acts'][number]
export type Plan = Script['plan']

/** The short name of a uid. */
export const shortNames = (uids: ReadonlyMap<string, string>) => {
  const names = new Map([...uids].map(([name, uid]) => [uid, name]))
  return (uid: string) => names.get(uid) ?? uid
}

const pick = <T>(all: readonly T[], nth: number): T | undefined => all[nth % Math.max(1, all.length)]

/** The places and people of a script, in the database, with their short names. */
async function build(server: TestServer, { plan }: Script) {
  const { given, db } = server
  const org = await given.organisation({ siteName: 'Harbour' })
  const site = await given.site(org, {
    name: 'Quay',
    buildingName: 'House 0',
    floorNames: floorNames(plan.buildings[0] ?? 0),
  })
  const uids = new Map<string, string>()
  const buildings: World['buildings'] = []
  for (const [b, floors] of plan.buildings.entries()) {
    const made = b === 0 ? site : await given.building(site, { name: `House ${b}`, floorNames: floorNames(floors) })
    uids.set(`b${b}`, made.buildingUid)
    for (const [f, uid] of made.floors.entries()) uids.set(`f${b}.${f}`, uid)
    buildings.push({
      id: `b${b}`,
      name: `House ${b}`,
      floors: floorNames(floors)
        .map((name, f) => ({ id: `f${b}.${f}`, name }))
        .reverse(),
    })
  }
  const statuses = await statusesOf(server, org, plan.hasClear)
  for (const { name, uid } of statuses) uids.set(name, uid)
  const floors = buildings.flatMap((one) => one.floors.map(({ id }) => id)).sort()
  const people: World['people'] = []
  const at = (place: string) => ({
    ...site,
    buildingUid: uids.get(`b${place[1]}`) as BuildingUid,
    floorUid: uids.get(place) as FloorUid,
  })
  for (const [n, { home, isPlanned, isVisitor }] of plan.people.entries()) {
    const place = isVisitor ? pick([...floors, ...buildings.map(({ id }) => id)], home) : pick(floors, home)
    if (!place) continue
    const uid = isVisitor
      ? await given.visitor(at(place), { floorUid: place.startsWith('f') ? (uids.get(place) as FloorUid) : null })
      : await given.occupant(at(place))
    if (isPlanned) await given.peep(site, uid)
    uids.set(`p${n}`, uid)
    people.push({ id: `p${n}`, home: place, isPlanned })
  }
  const chief = { desk: 0, domain: 'Site', area: 0, modules: 5 } as const
  const wardens: World['wardens'] = []
  const codes = new Map<string, { code: string; warden: Awaited<ReturnType<typeof given.warden>> }>()
  for (const [n, { desk, domain, area, modules }] of [chief, ...plan.wardens].entries()) {
    const deskFloor = pick(floors, desk)
    const floor = pick(floors, area)
    const [isReader, isManager] = [n > 0 && modules === 0, n === 0 || modules === 1]
    const isSite = domain === 'Site'
    const building = pick(buildings, area)?.id ?? 'b0'
    const isFloor = domain === 'Floor' && floor !== undefined
    const usual = ['Module_Floor_Evacuation', 'Module_Evacuee_Safety', 'Module_Floor_Evacuation_Status'] as const
    const own = isReader
      ? (['Module_Event_Records'] as const)
      : ([...usual, ...(isManager ? (['Module_Event_Management'] as const) : [])] as const)
    const warden = await given.warden(
      { ...site, floorUid: uids.get(deskFloor ?? '') as FloorUid },
      {
        role: isSite ? 'Chief Warden' : isFloor ? 'Floor Warden' : 'Building Warden',
        ...(n > 0 && { modules: own }),
        firstName: `Wanda${n}`,
        ...(isSite
          ? {}
          : isFloor
            ? { floorUid: uids.get(floor) as FloorUid }
            : { buildingUid: uids.get(building) as BuildingUid }),
        deskFloorUid: uids.get(deskFloor ?? '') as FloorUid,
      },
    )
    const { rows } = await sql<{ code: string; name: string; role: string }>`
      select p.code, p.first_name || ' ' || p.last_name as name, r.name as role from person p
      join warden_assignment a on a.person_uid = p.uid join warden_role r on r.uid = a.role_uid
      where p.uid = ${warden.personUid}`.execute(db)
    const { code, name, role } = rows[0] as { code: string; name: string; role: string }
    codes.set(`w${n}`, { code, warden })
    uids.set(`q${n}`, warden.personUid)
    people.push({ id: `q${n}`, home: deskFloor ?? '-', isPlanned: false })
    wardens.push({
      ...{ id: `w${n}`, name, role, person: `q${n}`, isSite, isManager, takesPart: !isReader },
      area: isSite ? [] : isFloor ? [floor] : [building],
    })
  }
  const world: World = {
    ...{ isDrill: plan.isDrill, buildings, people, wardens },
    statuses: statuses.map(({ name, isClear }) => ({ name, isClear })),
  }
  return { org, site, uids, codes, world, floors }
}
const floorNames = (many: number) => Array.from({ length: many }, (_, nth) => `Level ${nth}`)

async function statusesOf(
  { db }: TestServer,
  org: Awaited<ReturnType<TestServer['given']['organisation']>>,
  hasClear: boolean,
) {
  const more = await db
    .insertInto('floorStatus')
    .values(
      ['Clear', 'Checked'].map((name, nth) => ({
        ...{ clientUid: org.clientUid, code: name, name, colour: 'green', displayOrder: 3 + nth, meansClear: hasClear },
      })),
    )
    .returning(['uid', 'name'])
    .execute()
  return [
    { uid: org.statusUids[0] as string, name: 'Not Started', isClear: false },
    { uid: org.statusUids[1] as string, name: 'Evacuating', isClear: false },
    ...more.map(({ uid, name }) => ({ uid, name, isClear: hasClear })),
  ]
}

export type Played = Awaited<ReturnType<typeof play>>

/** Plays a script by the services of the product. Each act is dated by the script's clock, and noted if the product took it. */
export async function play(server: TestServer, script: Script) {
  const { org, site, uids, codes, world, floors } = await build(server, script)
  const deeds: Deed[] = []
  const played = await server.database.system.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ startAt: Date; lead: number }>`
      select t.at as start_at, extract(epoch from now() - t.at)::float8 as lead
      from (select date_trunc('minute', now()) - interval '5 hours' as at) t`.execute(tx)
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

interface Stage {
  server: TestServer
  stage: Awaited<ReturnType<typeof openStage>>
  tx: Tx
  uids: Map<string, string>
  world: World
  floors: string[]
  deeds: Deed[]
  signed: Map<string, Awaited<ReturnType<Awaited<ReturnType<typeof openStage>>['signIn']>>>
  org: Awaited<ReturnType<TestServer['given']['organisation']>>
  site: { siteUid: string; buildingUid: BuildingUid }
  /** Seconds between the start and the transaction. */
  lead: number
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

async function playOn(on: Stage, { plan, acts }: Script) {
  const { stage, deeds, world, uids, tx, server } = on
  const chief = on.signed.get('w0') as NonNullable<ReturnType<Stage['signed']['get']>>
  const first = world.buildings.filter((_, nth) => plan.starts[nth]).map(({ id }) => id)
  const starting = first.length > 0 ? first : ['b0']
  const { event } = await startOrExtend(server.app, tx, await chief.actor(), {
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
  const running = new Running(on, eventUid)
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
  at += 7
  await running.end(at)
  deeds.push({ did: 'end', by: 'w0', at })
  await sql`set local role none`.execute(tx)
  await sql`update journal set observed_at = date_trunc('milliseconds', observed_at + interval '500 microseconds')
    where event_uid = ${eventUid} and observed_at is not null`.execute(tx)
  for (const table of ['building', 'floor', 'floor_status', 'warden_role'])
    await sql`update ${sql.table(table)} set name = 'Renamed ' || name where client_uid = ${on.org.clientUid}`.execute(
      tx,
    )
  await noteContact(on, eventUid, plan.hasContact, at)
  await stage.close(-90)
  return { eventUid, startAt: stage.moment(0) }
}

/** What a phone, a node or the sealer notes of times without contact. */
async function noteContact(
  { tx, stage, deeds, world, signed, org }: Stage,
  eventUid: EventUid,
  has: boolean,
  end: number,
) {
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
    const { rows } = await sql<{
      uid: SignInUid
    }>`select si.uid from warden_sign_in si join person p on p.uid = si.person_uid
      where si.event_uid = ${eventUid} and p.first_name || ' ' || p.last_name = ${world.wardens.find((one) => one.id === id)?.name}`.execute(
      tx,
    )
    const signIn = rows[0]?.uid
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

/** When a warden was on duty, as their own acts say. */
function dutiesOf(deeds: readonly Deed[], id: string, end: number) {
  const all: { from: number; to: number }[] = []
  for (const deed of deeds) {
    const isOn = all.at(-1)?.to === end
    const closes = deed.did === 'off' && deed.by === id
    const closed = 'closed' in deed && (deed.closed as string[]).includes(id)
    if (isOn && (closes || closed)) (all.at(-1) as { to: number }).to = deed.at
    else if (!isOn && deed.by === id && (deed.did === 'on' || deed.did === 'start'))
      all.push({ from: deed.at, to: end })
  }
  return all
}

/** An event under way. An act that cannot be done is no deed. */
class Running {
  readonly #on: Stage
  readonly #event: EventUid
  readonly #calls: string[] = []
  readonly #answered = new Set<number>()
  readonly #instructions: InstructionUid[] = []
  #visitors = 0

  constructor(on: Stage, event: EventUid) {
    this.#on = on
    this.#event = event
  }

  async act(one: Act, at: number): Promise<Deed[] | null> {
    const { world, signed, floors, uids } = this.#on
    const onDuty = [...signed.keys()].filter(
      (id) => dutiesOf(this.#on.deeds, id, Number.POSITIVE_INFINITY).at(-1)?.to === Number.POSITIVE_INFINITY,
    )
    const by = pick(
      one.what === 'on' || one.what === 'away' || onDuty.length === 0 ? [...signed.keys()] : onDuty,
      one.who,
    ) as string
    const warden = signed.get(by) as NonNullable<ReturnType<typeof signed.get>>
    const building = pick(world.buildings, one.where)?.id as string
    const floor = pick(floors, one.where)
    switch (one.what) {
      case 'on': {
        if ((await warden.actor()).signIn?.attendance === 'on_duty') return null
        const done = await warden.reportIn()
        return 'error' in done ? null : [{ did: 'on', by, at }]
      }
      case 'away': {
        if ((await warden.actor()).signIn?.attendance === 'not_available') return null
        const done = await warden.notAvailable()
        return 'error' in done ? null : [{ did: 'away', by, at }]
      }
      case 'off':
        return this.#goOff(by, at)
      case 'mark':
        return this.#mark(one, by, at)
      case 'refuse':
        return this.#refuse(one, by, at)
      case 'floor':
        return floor ? this.#setFloor(one, by, floor, at) : null
      case 'take':
      case 'give': {
        if (!floor) return null
        const actor = await this.#onDuty(by)
        if (one.what === 'take') await claimFloor(this.#on.tx, actor, uids.get(floor) as FloorUid)
        else await giveBackFloor(this.#on.tx, actor, uids.get(floor) as FloorUid)
        return [{ did: one.what, by, floor, at }]
      }
      case 'add':
      case 'remove':
        return this.#move(one.what, building, at)
      case 'live':
        await makeLive(this.#on.server.app, this.#on.tx, await this.#chief(), {
          event: this.#event,
          message: 'This is real.',
        })
        return this.#on.world.isDrill && !this.#on.deeds.some(({ did }) => did === 'live')
          ? [{ did: 'live', by: 'w0', at }]
          : null
      case 'visit':
        return this.#visit(one, at)
      default:
        return this.#other(one, by, at)
    }
  }

  async end(at: number) {
    const { server, tx, world, uids, org, stage } = this.#on
    await shrinkOrEnd(server.app, tx, await this.#chief(), {
      ...{ buildings: world.buildings.map(({ id }) => uids.get(id) as BuildingUid), eventType: org.eventTypeUid },
      ...{ message: 'It is over.', broadcastMessage: 'no' },
    })
    await stage.dated(this.#event, at)
    await demo.deliverTexts(tx, this.#event)
    await stage.dated(this.#event, at)
  }

  #chief = () => (this.#on.signed.get('w0') as NonNullable<ReturnType<Stage['signed']['get']>>).actor()

  async #onDuty(by: string): Promise<DutyActor> {
    const actor = await this.#on.signed.get(by)?.actor()
    if (actor?.signIn?.attendance !== 'on_duty' || !actor.event) throw new Refusal('not_on_duty')
    return actor as DutyActor
  }

  async #goOff(by: string, at: number): Promise<Deed[] | null> {
    if (by === 'w0') return null
    await this.#onDuty(by)
    const actor = await this.#on.signed.get(by)?.actor()
    if (!actor || !(await goOffDuty(this.#on.tx, actor, [this.#on.org.clientUid]))) return null
    return [{ did: 'off', by, at }]
  }

  /** Seconds before the transaction at which the phone says it was. */
  #ago(one: Act, at: number): { ago: number | null; seen: number | null } {
    return one.ago === null ? { ago: null, seen: null } : { ago: this.#on.lead - (at - one.ago), seen: at - one.ago }
  }

  async #mark(one: Act, by: string, at: number): Promise<Deed[] | null> {
    const { uids, world, floors, tx } = this.#on
    const person = pick([...world.people.map(({ id }) => id), ...this.#visits()], one.whom)
    const floor = pick(floors, one.where)
    if (!person || !floor) return null
    const status = (['safe', 'safe', 'in danger', 'unknown'] as const)[one.how % 4] as string
    const { ago, seen } = this.#ago(one, at)
    const [done] = await (this.#on.signed.get(by) as NonNullable<ReturnType<Stage['signed']['get']>>).mark(
      [uids.get(person) as PersonUid],
      status,
      uids.get(floor) as FloorUid,
      ago,
    )
    if (!done) return null
    const row = await tx
      .selectFrom('evacuee')
      .select('placeUid')
      .where('eventUid', '=', this.#event)
      .where('personUid', '=', uids.get(person) as PersonUid)
      .executeTakeFirstOrThrow()
    const place = [...uids].find(([, uid]) => uid === row.placeUid)?.[0] ?? ''
    const to = status === 'in danger' ? 'danger' : status
    return [{ did: 'mark', by, person, status: to, named: floor, place, seen, stood: !done.superseded, at }]
  }
  #visits = () => Array.from({ length: this.#visitors }, (_, n) => `v${n}`)

  async #refuse(one: Act, by: string, at: number): Promise<Deed[] | null> {
    const { uids, world, floors, lead } = this.#on
    const person = pick([...world.people.map(({ id }) => id), ...this.#visits()], one.whom)
    const floor = pick(floors, one.where)
    const warden = this.#on.signed.get(by)
    if (!person || !floor || !warden) return null
    // the stage says that it was seen 3 seconds before: of the real clock, which is dated with the entry
    const { action } = await warden.refuse(uids.get(person) as PersonUid, uids.get(floor) as FloorUid)
    return lead > 0 ? [{ did: 'refuse', by, person, refuses: action === 'add', seen: at - 3, at }] : null
  }

  async #setFloor(one: Act, by: string, floor: string, at: number): Promise<Deed[] | null> {
    const { uids, world } = this.#on
    const status = pick(world.statuses, one.how)?.name as string
    const { ago, seen } = this.#ago(one, at)
    const done = await this.#on.signed
      .get(by)
      ?.floor(uids.get(floor) as FloorUid, uids.get(status) as FloorStatusUid, ago)
    return done ? [{ did: 'floor', by, floor, status, seen, stood: !done.overruled, at }] : null
  }

  async #move(did: 'add' | 'remove', building: string, at: number): Promise<Deed[] | null> {
    const { server, tx, uids, org } = this.#on
    const input = {
      buildings: [uids.get(building) as BuildingUid],
      eventType: org.eventTypeUid,
      broadcastMessage: 'no' as const,
    }
    const actor = await this.#chief()
    if (did === 'add') {
      const done = await startOrExtend(server.app, tx, actor, { ...input, message: 'Also here.', alertToWarden: 'no' })
      return done.status === 'event_created' ? [{ did, by: 'w0', buildings: [building], at }] : null
    }
    const { rows } = await sql<{ there: boolean; all: number }>`
      select bool_or(building_uid = ${uids.get(building) as string}) as there, count(*)::int as all from event_building
      where event_uid = ${this.#event} and active`.execute(tx)
    if (!rows[0]?.there || rows[0].all < 2) return null
    await shrinkOrEnd(server.app, tx, actor, { ...input, message: 'Done here.' })
    return [{ did, by: 'w0', buildings: [building], at }]
  }

  async #visit(one: Act, at: number): Promise<Deed[] | null> {
    const { server: _, tx, uids, org, site, floors, world } = this.#on
    const home = pick([...floors, ...world.buildings.map(({ id }) => id)], one.where) as string
    const isFloor = home.startsWith('f')
    const { uid } = await tx
      .insertInto('person')
      .values({
        ...{
          clientUid: org.clientUid,
          code: `V-${this.#visitors}-${at}`,
          firstName: 'Vera',
          lastName: `${this.#visitors}`,
        },
        ...{ kind: 'visitor', visitDate: sql<string>`(now() at time zone 'Australia/Sydney')::date` },
        primaryFloorUid: isFloor ? (uids.get(home) as string) : null,
        visitingBuildingUid: isFloor ? null : (uids.get(home) as string),
      })
      .returning('uid')
      .executeTakeFirstOrThrow()
    const person = `v${this.#visitors++}`
    uids.set(person, uid)
    await joinEventsAt(tx, org.clientUid, site.siteUid as never, 'console')
    return [{ did: 'visit', person, home, at }]
  }

  async #other(one: Act, by: string, at: number): Promise<Deed[] | null> {
    const { tx, org, floors, uids } = this.#on
    const unattended = { clientUid: org.clientUid, personUid: null, signInUid: null }
    const about = { subjectType: 'event', subjectUid: this.#event, eventUid: this.#event } as const
    const call = this.#calls.findIndex((_, nth) => !this.#answered.has(nth))
    switch (one.what) {
      case 'call':
        this.#calls.push(crypto.randomUUID())
        await record(tx, unattended, {
          action: 'self_report_made',
          ...about,
          after: { report: this.#calls.at(-1) as string, way: 'poster', says: 'help' },
        })
        return [{ did: 'call', call: this.#calls.length - 1, at }]
      case 'answer': {
        if (call < 0) return null
        const actor = await this.#onDuty(by)
        this.#answered.add(call)
        await record(tx, journalActor(actor), {
          action: 'self_report_handled',
          ...about,
          after: { report: this.#calls[call] as string, state: 'answered' },
        })
        return [{ did: 'answer', by, call, at }]
      }
      case 'instruct': {
        const some = floors.filter((_, nth) => (one.how >> nth) & 1)
        const said = one.how % 3 === 0 || some.length === 0 ? null : some.filter((floor) => this.#isIn(floor))
        if (said?.length === 0) return null
        const { uid } = await send(tx, await this.#onDuty(by), {
          ...{ kind: 'evacuate', message: 'Use the stairs.', text: 'no' },
          floors: said === null ? 'all' : said.map((floor) => uids.get(floor) as FloorUid),
        })
        this.#instructions.push(uid)
        return [{ did: 'instruct', by, instruction: this.#instructions.length - 1, floors: said, at }]
      }
      case 'understand': {
        const nth = this.#instructions.length - 1
        const uid = this.#instructions[nth]
        if (
          !uid ||
          this.#on.deeds.some((deed) => deed.did === 'understand' && deed.by === by && deed.instruction === nth)
        )
          return null
        await noteUnderstood(tx, await this.#onDuty(by), uid)
        return [{ did: 'understand', by, instruction: nth, at }]
      }
      case 'silent':
        return this.#on.deeds.some((deed) => deed.did === 'silent' && deed.by === by && deed.until >= at)
          ? null
          : [{ did: 'silent', by, at, until: at + one.how * 30 + 1 }]
      case 'outage':
        return [{ did: 'outage', at, until: at + one.how * 10 + 11, what: one.where % 2 === 0 ? 'server' : 'feed' }]
      default:
        return null
    }
  }

  #isIn(floor: string): boolean {
    let is = false
    for (const deed of this.#on.deeds)
      if (
        (deed.did === 'start' || deed.did === 'add' || deed.did === 'remove') &&
        deed.buildings.includes(`b${floor[1]}`)
      )
        is = deed.did !== 'remove'
    return is
  }
}

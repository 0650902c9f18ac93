import { sql } from 'kysely'
import { claimFloor, giveBackFloor } from '#features/coverage/server/floor-claims.service.ts'
import { joinEventsAt } from '#features/directory/server/join-events.ts'
import { goOffDuty } from '#features/duty/server/go-on-duty.service.ts'
import { shrinkOrEnd } from '#features/events/server/end-event.service.ts'
import { makeLive } from '#features/events/server/made-live.service.ts'
import { startOrExtend } from '#features/events/server/start-event.service.ts'
import * as demo from '#features/operation/server/demo-drill/demo-drill.queries.ts'
import type { BuildingUid, FloorStatusUid, FloorUid, PersonUid } from '#kernel/ids.ts'
import type { Deed } from '../reference/deeds.fixture.ts'
import { openChanges } from './changes.fixture.ts'
import { openReports } from './reports.fixture.ts'
import { type Act, dutiesOf, pick } from './script.fixture.ts'
import { chiefOf, isIn, onDuty, phoneOf, statusesFor, type Underway } from './stage.fixture.ts'

/** An event under way. An act that cannot be done is no deed. */
export class Running {
  readonly #on: Underway
  readonly #reports: ReturnType<typeof openReports>
  readonly #changes: ReturnType<typeof openChanges>
  #visitors = 0

  constructor(on: Underway) {
    this.#on = on
    this.#reports = openReports(on)
    this.#changes = openChanges(on, this.#reports.noteInstruction)
  }

  async act(one: Act, at: number): Promise<Deed[] | null> {
    const { world, signed, floors, uids } = this.#on
    const working = [...signed.keys()].filter(
      (id) => dutiesOf(this.#on.deeds, id, Number.POSITIVE_INFINITY).at(-1)?.to === Number.POSITIVE_INFINITY,
    )
    const by = pick(
      one.what === 'on' || one.what === 'away' || working.length === 0 ? [...signed.keys()] : working,
      one.who,
    ) as string
    const warden = phoneOf(this.#on, by)
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
        return floor ? this.#take(by, floor, at) : null
      case 'give':
        if (!floor) return null
        await giveBackFloor(this.#on.tx, await onDuty(this.#on, by), uids.get(floor) as FloorUid)
        return [{ did: 'give', by, floor, at }]
      case 'add':
      case 'remove':
        return this.#move(one.what, building, at)
      case 'live':
        await makeLive(this.#on.server.app, this.#on.tx, await chiefOf(this.#on), {
          event: this.#on.eventUid,
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
    await shrinkOrEnd(server.app, tx, await chiefOf(this.#on), {
      buildings: world.buildings.map(({ id }) => uids.get(id) as BuildingUid),
      eventType: org.eventTypeUid,
      message: 'It is over.',
      broadcastMessage: 'no',
    })
    await stage.dated(this.#on.eventUid, at)
    await demo.deliverTexts(tx, this.#on.eventUid)
    await stage.dated(this.#on.eventUid, at)
  }

  async #goOff(by: string, at: number): Promise<Deed[] | null> {
    if (by === 'w0') return null
    await onDuty(this.#on, by)
    const actor = await this.#on.signed.get(by)?.actor()
    if (!actor || !(await goOffDuty(this.#on.tx, actor, [this.#on.org.clientUid]))) return null
    return [{ did: 'off', by, at }]
  }

  /** Asked again by its holder, it is no deed: the product records nothing. */
  async #take(by: string, floor: string, at: number): Promise<Deed[] | null> {
    const { tx, uids, eventUid } = this.#on
    const claims = async () =>
      (await tx.selectFrom('floorClaim').select('uid').where('eventUid', '=', eventUid).execute()).length
    const before = await claims()
    await claimFloor(tx, await onDuty(this.#on, by), uids.get(floor) as FloorUid)
    return (await claims()) > before ? [{ did: 'take', by, floor, at }] : null
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
    const [done] = await phoneOf(this.#on, by).mark(
      [uids.get(person) as PersonUid],
      status,
      uids.get(floor) as FloorUid,
      ago,
    )
    if (!done) return null
    const row = await tx
      .selectFrom('evacuee')
      .select('placeUid')
      .where('eventUid', '=', this.#on.eventUid)
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
    const { uids } = this.#on
    const status = pick(statusesFor(this.#on, `b${floor[1]}`), one.how)?.id as string
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
    const actor = await chiefOf(this.#on)
    if (did === 'add') {
      const done = await startOrExtend(server.app, tx, actor, { ...input, message: 'Also here.', alertToWarden: 'no' })
      return done.status === 'event_created' ? [{ did, by: 'w0', buildings: [building], at }] : null
    }
    const there = this.#on.world.buildings.filter(({ id }) => isIn(this.#on, id))
    if (there.length < 2 || !isIn(this.#on, building)) return null
    await shrinkOrEnd(server.app, tx, actor, { ...input, message: 'Done here.' })
    return [{ did, by: 'w0', buildings: [building], at }]
  }

  async #visit(one: Act, at: number): Promise<Deed[] | null> {
    const { tx, uids, org, site, floors, world } = this.#on
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
        kind: 'visitor',
        visitDate: sql<string>`(now() at time zone 'Australia/Sydney')::date`,
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
    const [reports, { deeds }] = [this.#reports, this.#on]
    switch (one.what) {
      case 'change':
        return this.#changes.change(one, at)
      case 'call':
        return reports.text('help', one, at)
      case 'text':
        return reports.text('words', one, at)
      case 'more':
        return reports.more(one, at)
      case 'answer':
        return reports.answer(one, by, at)
      case 'instruct':
        return reports.instruct(one, by, at)
      case 'understand':
        return reports.understand(by, at)
      case 'silent':
        return deeds.some((deed) => deed.did === 'silent' && deed.by === by && deed.until >= at)
          ? null
          : [{ did: 'silent', by, at, until: at + one.how * 30 + 1 }]
      case 'outage':
        return [{ did: 'outage', at, until: at + one.how * 10 + 11, what: one.where % 2 === 0 ? 'server' : 'feed' }]
      default:
        return null
    }
  }
}

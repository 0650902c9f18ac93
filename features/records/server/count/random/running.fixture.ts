import { sql } from 'kysely'
import { noteUnderstood, send } from '#features/command/server/instruction.service.ts'
import { claimFloor, giveBackFloor } from '#features/coverage/server/floor-claims.service.ts'
import { joinEventsAt } from '#features/directory/server/join-events.ts'
import { goOffDuty } from '#features/duty/server/go-on-duty.service.ts'
import { shrinkOrEnd } from '#features/events/server/end-event.service.ts'
import { makeLive } from '#features/events/server/made-live.service.ts'
import { startOrExtend } from '#features/events/server/start-event.service.ts'
import * as demo from '#features/operation/server/demo-drill/demo-drill.queries.ts'
import type { openStage } from '#features/operation/server/demo-drill/stage.ts'
import type { BuildingUid, EventUid, FloorStatusUid, FloorUid, InstructionUid, PersonUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import type { DutyActor } from '#server/wardens/actor.ts'
import { journalActor } from '#server/wardens/actor.ts'
import type { Deed, World } from '../reference/model.fixture.ts'
import { type Act, dutiesOf, pick } from './script.fixture.ts'

/** Where an event is played. */
export interface Stage {
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

/** An event under way. An act that cannot be done is no deed. */
export class Running {
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
      buildings: world.buildings.map(({ id }) => uids.get(id) as BuildingUid),
      eventType: org.eventTypeUid,
      message: 'It is over.',
      broadcastMessage: 'no',
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
          kind: 'evacuate',
          message: 'Use the stairs.',
          text: 'no',
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

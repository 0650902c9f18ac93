import { setTimeout as delay } from 'node:timers/promises'
import { createEvent, type EventSites, endEvent, listEventSites } from '#features/events/calls/events.ts'
import type { CallContract, GivenInput } from '#kernel/route.ts'
import type { Random } from '../rig/random.ts'
import type { WriteKind } from './evidence/history.ts'
import type { Session } from './session.ts'

/** The shortest event in milliseconds. */
const shortestEvent = 15_000

let written = 0

/**
 * An event manager, who starts events, adds and removes a building, and ends events. Two managers of a site compete.
 */
export class Manager {
  readonly #session: Session
  readonly #random: Random
  #seen = { event: '', since: 0 }
  #isResting = false
  #isWaiting = false

  constructor(session: Session, random: Random) {
    this.#session = session
    this.#random = random
  }

  async live(stop: AbortSignal): Promise<void> {
    await this.#session.signIn(stop)
    while (!stop.aborted) {
      if (this.#session.isSignedOut) await this.#session.signIn(stop)
      const sites = await this.#session.read(listEventSites, {})
      if (sites) await this.#decide(sites, stop)
      await delay(this.#random.between(1_000, 4_000))
    }
  }

  /** Stops ending events. A running event goes on. Without one, the manager starts an event. */
  rest(): void {
    this.#isResting = true
  }

  /** True if every write has an answer. */
  get isSettled(): boolean {
    return !this.#isWaiting
  }

  async #decide({ data }: EventSites, stop: AbortSignal): Promise<void> {
    const buildings = data.sites.flatMap((site) => site.buildings)
    const [main, annex] = ['Tower A', 'Tower B'].map((name) => buildings.find((building) => building.name === name))
    const eventType = data.eventTypes.find(({ type }) => type === 'Fire')?.id
    if (!main || !annex || !eventType) return
    const event = data.activeEvent?.id ?? ''
    if (event !== this.#seen.event) this.#seen = { event, since: Date.now() }

    const broadcastMessage = this.#random.chance(0.3) ? ('yes' as const) : ('no' as const)
    const common = { eventType, broadcastMessage }
    const message = (text: string) => `${text} #${++written}.`
    const starting = (ids: string[]) => ({
      body: { ...common, buildings: ids as never, message: message('Fire, evacuate'), alertToWarden: 'yes' as const },
    })
    const ending = (ids: string[]) => ({ body: { ...common, buildings: ids as never, message: message('It is over') } })

    if (!event) return this.#sendUntilAnswered('start', createEvent, starting([main.id]), stop)
    if (this.#isResting) return
    const isOld = Date.now() - this.#seen.since > shortestEvent
    const draw = this.#random.next()
    if (isOld && draw < 0.25) {
      const ids = [main, annex].filter((building) => building.event).map(({ id }) => id)
      await this.#sendUntilAnswered('end', endEvent, ending(ids), stop)
    } else if (!annex.event && draw < 0.5)
      await this.#sendUntilAnswered('extend', createEvent, starting([annex.id]), stop)
    else if (annex.event && draw > 0.8) await this.#sendUntilAnswered('shrink', endEvent, ending([annex.id]), stop)
  }

  /** Sends the same key until there is an answer. */
  async #sendUntilAnswered<C extends CallContract>(kind: WriteKind, call: C, input: GivenInput<C>, stop: AbortSignal) {
    const write = this.#session.newWrite(kind)
    this.#isWaiting = true
    await this.#session.sendUntilAnswered(write, call, input, stop)
    this.#isWaiting = false
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import {
  type EvacuationFloor,
  type FloorData,
  getFloorData,
  listOccupants,
  setFloorStatus,
  setPersonStatus,
  toggleRefusal,
} from '@evac/contract/evacuation.ts'
import { getChannels, getChannelToken } from '@evac/contract/realtime.ts'
import { getRole, reportIn } from '@evac/contract/report-in.ts'
import type { Try, Write } from './history.ts'
import type { Random } from './random.ts'
import type { Session } from './session.ts'
import { type OpenSocket, openSocket } from './socket.ts'

/** Milliseconds; the web app's own. */
const firstDelay = 1_000
const longestDelay = 30_000
const statuses = ['safe on floor', 'in danger', 'unknown', 'safe'] as const

interface Waiting {
  write: Write
  signIn: string | null
  send: () => Promise<Try['outcome']>
}

interface Floor {
  data: FloorData
  people: string[]
}

/** A warden's phone: reports in, records what the warden sees through an outbox, and follows the event's channels. */
export class Phone {
  readonly #session: Session
  readonly #socketUrl: string
  readonly #random: Random
  readonly #outbox: Waiting[] = []
  #signIn: string | null = null
  #socket: OpenSocket | undefined
  #isOver = true
  #isResting = false
  #wake = Promise.withResolvers<void>()

  constructor(session: Session, socketUrl: string, random: Random) {
    this.#session = session
    this.#socketUrl = socketUrl
    this.#random = random
  }

  /** Until `stop`: one event after the other. */
  async live(stop: AbortSignal): Promise<void> {
    await this.#session.signIn(stop)
    const sending = this.#sendAll(stop)
    while (!stop.aborted) {
      if (await this.#goOnDuty(stop)) await this.#work(stop)
      await delay(this.#random.between(500, 1_500))
    }
    this.#socket?.close()
    this.wake()
    await sending
  }

  /** No more taps; what waits is still sent, and the channels are still heard. */
  rest(): void {
    this.#isResting = true
    this.wake()
  }

  /** Something may go better now. */
  wake(): void {
    this.#wake.resolve()
  }

  get waiting(): number {
    return this.#outbox.length
  }

  /** On duty and hearing everything, or without an event. */
  get isSettled(): boolean {
    return this.#outbox.length === 0 && (this.#isOver || this.#socket?.isListening() === true)
  }

  complete(): void {
    if (!this.#isOver) this.#socket?.complete()
  }

  async #goOnDuty(stop: AbortSignal): Promise<boolean> {
    if (this.#session.isSignedOut) await this.#session.signIn(stop)
    const role = await this.#session.read(getRole, {})
    if (!role?.data.active_event) return false
    const write = this.#session.newWrite('report in')
    for (let pause = firstDelay; ; pause = Math.min(pause * 2, 5_000)) {
      const outcome = await this.#session.attempt(write, reportIn, {})
      if (outcome !== 'unknown') break
      if (stop.aborted) return false
      if (this.#session.isSignedOut) await this.#session.signIn(stop)
      await delay(pause)
    }
    const channels = await this.#session.read(getChannels, {})
    if (!channels?.Warden_Sign_In_UID) return false
    const token = await this.#session.read(getChannelToken, {})
    if (!token) return false
    this.#signIn = channels.Warden_Sign_In_UID
    this.#isOver = false
    this.#socket = openSocket({
      who: this.#session.who,
      history: this.#session.history,
      url: this.#socketUrl,
      token: token.token,
      channels: channels.channels,
      renewToken: async () => (await this.#session.read(getChannelToken, {}))?.token,
      onEnd: () => {
        this.#isOver = true
      },
    })
    return true
  }

  async #work(stop: AbortSignal): Promise<void> {
    let floor: Floor | undefined
    while (!stop.aborted && !this.#isOver) {
      if (!floor || this.#random.chance(0.02)) floor = (await this.#look()) ?? floor
      if (floor && !this.#isResting) this.#tap(floor)
      await delay(this.#random.between(80, 500))
      if (this.#session.isSignedOut) await this.#session.signIn(stop)
    }
    this.#socket?.close()
    this.#isOver = true
  }

  async #look(): Promise<Floor | undefined> {
    const data = await this.#session.read(getFloorData, {})
    if (!data) return undefined
    if ('error' in data) {
      this.#isOver = true
      return undefined
    }
    const people: string[] = []
    const busiest = data.floors.find(({ name }) => name === 'Level 1') ?? data.floors[0]
    for (const page of ['1', '2']) {
      const list = await this.#session.read(listOccupants, { query: { page, floor: busiest?.id as never } })
      people.push(...(list?.persons.map(({ id }) => id) ?? []))
    }
    return people.length ? { data, people } : undefined
  }

  #tap({ data, people }: Floor): void {
    const session = this.#session
    const floor = this.#random.pick(data.floors) as EvacuationFloor
    const busiest = data.floors.find(({ name }) => name === 'Level 1') ?? floor
    const person = this.#random.pick(people) as never
    const draw = this.#random.next()
    if (draw < 0.08) {
      const floorStatusId = this.#random.pick(data.floor_status).id
      const write = session.newWrite('floor status', floor.id, floorStatusId)
      const body = { floorId: floor.id, floorStatusId }
      this.#enqueue(write, () => session.attempt(write, setFloorStatus, { body }))
    } else if (draw < 0.16) {
      const write = session.newWrite('refusal', person)
      const body = { person, floorId: busiest.id }
      this.#enqueue(write, () => session.attempt(write, toggleRefusal, { body }))
    } else {
      const status = this.#random.pick(statuses)
      const write = session.newWrite('status', person, status)
      const body = { personId: person, status, floorId: draw < 0.3 ? floor.id : busiest.id }
      this.#enqueue(write, () => session.attempt(write, setPersonStatus, { body }))
    }
  }

  #enqueue(write: Write, send: Waiting['send']): void {
    this.#outbox.push({ write, signIn: this.#signIn, send })
    this.wake()
  }

  /** One after the other in the order of the taps; what finds no answer stays first and is tried again later. */
  async #sendAll(stop: AbortSignal): Promise<void> {
    let pause = firstDelay
    while (!stop.aborted) {
      const [first] = this.#outbox
      if (!first) {
        await this.#sleep(60_000)
        continue
      }
      // a record of another event is not sent on: the warden is told instead
      const outcome = first.signIn === this.#signIn ? await first.send() : tellOfAnotherEvent(first.write)
      if (outcome !== 'unknown') {
        this.#outbox.shift()
        pause = firstDelay
        if (outcome === 'fail' && first.signIn === this.#signIn) this.#noteRefusal(first.write)
      } else {
        await this.#sleep(pause * this.#random.between(0.5, 1))
        pause = Math.min(pause * 2, longestDelay)
      }
    }
  }

  #noteRefusal({ tries }: Write): void {
    const code = tries.at(-1)?.code
    if (code === 'no_event' || code === 'not_on_duty') this.#isOver = true
  }

  async #sleep(ms: number): Promise<void> {
    this.#wake = Promise.withResolvers()
    const limit = new AbortController()
    await Promise.race([this.#wake.promise, delay(ms, undefined, { signal: limit.signal }).catch(() => undefined)])
    limit.abort()
  }
}

function tellOfAnotherEvent({ tries }: Write): 'fail' {
  const now = Date.now()
  tries.push({ startedAt: now, endedAt: now, outcome: 'fail', code: 'other event' })
  return 'fail'
}

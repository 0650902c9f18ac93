import { setTimeout as delay } from 'node:timers/promises'
import { getRole, reportIn } from '#features/duty/calls/report-in.ts'
import {
  type EvacuationFloor,
  type FloorData,
  getFloorData,
  listOccupants,
} from '#features/evacuation/calls/evacuation.ts'
import { getChannels, getChannelToken } from '#features/live-updates/calls/realtime.ts'
import { ApiError, type Call, wrapCaller } from '#kernel/client/client.ts'
import type { PersonUid } from '#kernel/ids.ts'
import type { Outbox } from '#web/outbox/core/outbox.ts'
import type { NewRecord, OutboxRecord } from '#web/outbox/core/safety-record.ts'
import { openMemoryOutbox } from '../rig/phone/memory-outbox.ts'
import type { Random } from '../rig/random.ts'
import type { Session } from './session.ts'
import { type OpenSocket, openSocket } from './socket.ts'

const statuses = ['safe on floor', 'in danger', 'unknown', 'safe'] as const

interface Floor {
  data: FloorData
  people: { id: PersonUid; reported: boolean }[]
}

/**
 * A warden's phone. It reports in, records statuses through the product's outbox, and listens to the channels of the
 * event.
 */
export class Phone {
  readonly #session: Session
  readonly #socketUrl: string
  readonly #random: Random
  readonly #outbox: Outbox
  #socket: OpenSocket | undefined
  #isOver = true
  #isResting = false

  constructor(session: Session, socketUrl: string, random: Random) {
    this.#session = session
    this.#socketUrl = socketUrl
    this.#random = random
    this.#outbox = openMemoryOutbox({
      call: this.#send,
      session: () => session.acting,
      now: () => Date.now() + session.clockError,
      onStored: (record) => session.note({ ...writeOf(record), seenAt: record.observedAt - session.clockError }),
      onRejected: ({ key, setback }) => {
        if (setback === 'other_event') session.noteUnsent(key, setback)
      },
    })
  }

  /** Takes part in one event after the other until `stop`. */
  async live(stop: AbortSignal): Promise<void> {
    await this.#session.signIn(stop)
    this.#outbox.start()
    while (!stop.aborted) {
      if (await this.#goOnDuty(stop)) await this.#work(stop)
      await delay(this.#random.between(500, 1_500))
    }
    this.#socket?.close()
    this.#outbox.stop()
  }

  /** Ends the taps. Pending records are still sent, and the channels stay open. */
  rest(): void {
    this.#isResting = true
    this.wake()
  }

  /** Makes the outbox retry now. */
  wake(): void {
    this.#outbox.wake()
  }

  /** True if nothing is pending, and the phone either hears every channel or has no event. */
  get isSettled(): boolean {
    const isSent = this.#outbox.records.get().length === 0
    return isSent && (this.#isOver || this.#socket?.isListening() === true)
  }

  complete(): void {
    if (!this.#isOver) this.#socket?.complete()
  }

  async #goOnDuty(stop: AbortSignal): Promise<boolean> {
    await this.#signInAgain(stop)
    const role = await this.#session.read(getRole, {})
    if (!role?.data.active_event) return false
    const write = this.#session.newWrite('report in')
    if ((await this.#session.sendUntilAnswered(write, reportIn, {}, stop)) === 'unknown') return false
    const channels = await this.#session.read(getChannels, {})
    if (!channels?.Warden_Sign_In_UID) return false
    const token = await this.#session.read(getChannelToken, {})
    if (!token) return false
    this.#session.act({ WardenSignInUID: channels.Warden_Sign_In_UID, on_duty: true })
    this.#isOver = false
    this.wake()
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
      await this.#signInAgain(stop)
    }
    this.#socket?.close()
    this.#isOver = true
    this.#session.act({ on_duty: false })
  }

  async #look(): Promise<Floor | undefined> {
    const data = await this.#session.read(getFloorData, {})
    if (!data) return undefined
    if ('error' in data) {
      this.#isOver = true
      return undefined
    }
    const people: Floor['people'] = []
    const busiest = data.floors.find(({ name }) => name === 'Level 1') ?? data.floors[0]
    for (const page of ['1', '2']) {
      const list = await this.#session.read(listOccupants, { query: { page, floor: busiest?.id as never } })
      people.push(...(list?.persons ?? []))
    }
    return people.length ? { data, people } : undefined
  }

  #tap({ data, people }: Floor): void {
    const floor = this.#random.pick(data.floors) as EvacuationFloor
    const busiest = data.floors.find(({ name }) => name === 'Level 1') ?? floor
    const { id, reported } = this.#random.pick(people)
    const about = { id, name: '' }
    const draw = this.#random.next()
    if (draw < 0.08) {
      const floorStatusId = this.#random.pick(data.floor_status).id
      const aboutFloor = { id: floor.id, name: '' }
      this.#enqueue({ kind: 'floorStatus', body: { floorId: floor.id, floorStatusId }, wish: '', about: aboutFloor })
    } else if (draw < 0.16) {
      this.#enqueue({ kind: 'refusal', body: { person: id, floorId: busiest.id }, wish: !reported, about })
    } else {
      const body = { personId: id, status: this.#random.pick(statuses), floorId: draw < 0.3 ? floor.id : busiest.id }
      this.#enqueue({ kind: 'personStatus', body, wish: null, about })
    }
  }

  /** A phone that is signed out at this moment records nothing. */
  #enqueue(record: NewRecord): void {
    if (this.#session.acting) void this.#outbox.enqueue(record)
  }

  /** A rejected call may be the first sign that the event is over. */
  #send: Call = wrapCaller(
    () => this.#session.call,
    async (send) => {
      try {
        return await send()
      } catch (error) {
        if (error instanceof ApiError && (error.code === 'no_event' || error.code === 'not_on_duty'))
          this.#isOver = true
        throw error
      }
    },
  )

  async #signInAgain(stop: AbortSignal): Promise<void> {
    if (!this.#session.isSignedOut) return
    await this.#session.signIn(stop)
    this.wake()
  }
}

/** A record of the outbox, as a write of the history. */
function writeOf({ kind, key, about, body }: OutboxRecord) {
  const subject = about.id
  if (kind === 'refusal') return { kind: 'refusal' as const, key, subject, wanted: null }
  if (kind === 'floorStatus') return { kind: 'floor status' as const, key, subject, wanted: body.floorStatusId }
  if (kind === 'note') throw new Error('these phones note nothing')
  return { kind: 'status' as const, key, subject, wanted: body.status }
}

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { login } from '#features/sign-in/calls/sign-in.ts'
import { callerOf } from '#kernel/client/fetch-caller.ts'
import { password } from '../../rig/organisation.ts'
import type { World } from '../seed/seed.ts'

/** The waiting times of honest people in milliseconds, and their failed requests. */
export class Honest {
  #life = new AbortController()
  #running: Promise<unknown>[] = []
  #times = { records: [] as number[], signIns: [] as number[] }
  failures: string[] = []

  /**
   * Twenty phones record a status every 100 to 250 ms, each in its own session. People with these addresses sign in,
   * too.
   */
  start(url: string, world: World, emails: readonly string[] = []) {
    this.#life = new AbortController()
    this.#running = world.tokens.slice(0, 20).map((token, phone) => this.#phone(url, token, world, phone))
    if (emails.length > 0) this.#running.push(this.#signIns(url, emails))
  }

  async stop() {
    this.#life.abort()
    await Promise.all(this.#running)
  }

  /** Returns the waiting times since the last call. */
  take() {
    const times = this.#times
    this.#times = { records: [], signIns: [] }
    return times
  }

  async #phone(url: string, token: string, world: World, phone: number) {
    const call = callerOf(url, token, 20_000)
    for (let n = 0; !this.#life.signal.aborted; n++) {
      await delay(100 + Math.random() * 150)
      const { personUid, floorUid } = world.people[(20 * n + phone) % world.people.length] as World['people'][number]
      const body = { personId: personUid, floorId: floorUid, status: n % 2 ? 'unknown' : 'safe on floor' } as never
      const headers = { 'idempotency-key': randomUUID() }
      await this.#time('records', () => call(setPersonStatus, { body }, { headers }))
    }
  }

  async #signIns(url: string, emails: readonly string[]) {
    const call = callerOf(url, undefined, 20_000)
    for (let n = 0; !this.#life.signal.aborted; n++) {
      const email = emails[n % emails.length] as string
      await this.#time('signIns', () => call(login, { body: { email, password } }))
      await delay(100)
    }
  }

  async #time(what: 'records' | 'signIns', work: () => Promise<unknown>) {
    const start = performance.now()
    try {
      await work()
      this.#times[what].push(performance.now() - start)
    } catch (error) {
      this.failures.push(String(error))
    }
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import { login } from '#features/sign-in/calls/sign-in.ts'
import { ApiError, type Call, wrapCaller } from '#kernel/client/client.ts'
import type { CallContract, CallReply, GivenInput } from '#kernel/route.ts'
import { idempotencyKeyHeader, observedAtHeader, sentAtHeader } from '#kernel/write-headers.ts'
import type { Session as Acting } from '#web/outbox/core/phone.ts'
import { failureOf, pauseAfter } from '#web/outbox/core/retry.ts'
import { password } from '../rig/organisation.ts'
import { phoneCaller } from '../rig/phone/caller.ts'
import type { History, Try, Write, WriteKind } from './evidence/history.ts'

/** The longest time in milliseconds before a person presses the same button again. */
const longestPause = 5_000

export interface Who {
  name: string
  organisation: string
  email: string
}

/** The session of one phone. It writes every request and answer to the history. */
export class Session {
  readonly who: Who
  readonly history: History
  /** Milliseconds by which the phone's clock is ahead. */
  readonly clockError: number
  readonly #url: string
  readonly #writes = new Map<string, Write>()
  #token = ''
  #acting: Acting | null = null
  #signingIn: Promise<void> | undefined

  constructor(who: Who, url: string, history: History, clockError = 0) {
    this.who = who
    this.#url = url
    this.history = history
    this.clockError = clockError
  }

  /** Who is signed in. Null while signed out. */
  get acting(): Acting | null {
    return this.isSignedOut ? null : this.#acting
  }

  act(as: Partial<Acting>): void {
    if (this.#acting) this.#acting = { ...this.#acting, ...as }
  }

  /** Tries until it succeeds or the run ends. */
  signIn(stop: AbortSignal): Promise<void> {
    this.#signingIn ??= this.#signIn(stop).finally(() => {
      this.#signingIn = undefined
    })
    return this.#signingIn
  }

  async #signIn(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const call = phoneCaller(this.#url)
      const auth = await call(login, { body: { email: this.who.email, password } }).catch(() => undefined)
      if (auth) {
        this.#token = auth.access_token
        this.#acting = auth
        return
      }
      await delay(1_000)
    }
  }

  /** Undefined if the call was rejected or not answered. The screen then keeps what it shows. */
  async read<C extends CallContract>(call: C, input: GivenInput<C>): Promise<CallReply<C> | undefined> {
    this.history.reads++
    const reply = await phoneCaller(this.#url, this.#token)(call, input).catch(() => undefined)
    this.history.show(this.who.organisation, reply)
    return reply
  }

  newWrite(kind: WriteKind, subject: string | null = null, wanted: string | null = null): Write {
    return this.note({ kind, subject, wanted, key: crypto.randomUUID(), seenAt: Date.now() })
  }

  /** Adds the write to the history. All tries with its key are added to it. */
  note(what: Pick<Write, 'kind' | 'subject' | 'wanted' | 'key' | 'seenAt'>): Write {
    const { name: who, organisation } = this.who
    const write: Write = {
      ...what,
      who,
      organisation,
      personUid: this.#acting?.Person_UID ?? '',
      tries: [],
      reply: null,
    }
    this.history.writes.push(write)
    this.#writes.set(write.key, write)
    return write
  }

  /** Notes that the phone itself rejected a record. */
  noteUnsent(key: string, code: string): void {
    const now = Date.now()
    this.#writes.get(key)?.tries.push({ startedAt: now, endedAt: now, outcome: 'fail', code })
  }

  /** Makes one try and adds it to the write with its key. Throws ApiError. */
  readonly call: Call = wrapCaller(
    () => phoneCaller(this.#url, this.#token),
    async (send, options) => {
      const write = this.#writes.get(options.headers?.[idempotencyKeyHeader] ?? '')
      const startedAt = Date.now()
      const note = (outcome: Try['outcome'], code: string) =>
        write?.tries.push({ startedAt, endedAt: Date.now(), outcome, code })
      try {
        const reply = await send()
        this.history.show(this.who.organisation, reply)
        if (write) write.reply = reply as Record<string, unknown>
        else this.#noteKept(reply)
        note('ok', '')
        return reply
      } catch (error) {
        const { status, code } = error as ApiError
        if (status === 401) this.#token = ''
        note(isRefused(error) ? 'fail' : 'unknown', code)
        throw error
      }
    },
  )

  /** AAR-22: late records carry their keys in the body. */
  #noteKept({ kept }: { kept?: readonly string[] }): void {
    for (const key of kept ?? []) Object.assign(this.#writes.get(key) ?? {}, { isKeptLate: true })
  }

  /** Sends the same write until there is an answer or the run ends. The time of observation is by the phone's clock. */
  async sendUntilAnswered<C extends CallContract>(
    write: Write,
    call: C,
    input: GivenInput<C>,
    stop: AbortSignal,
  ): Promise<Try['outcome']> {
    for (let failures = 0; ; failures++) {
      const outcome = await this.#attempt(write, call, input)
      if (outcome !== 'unknown' || stop.aborted) return outcome
      if (this.isSignedOut) await this.signIn(stop)
      await delay(Math.min(pauseAfter(failures), longestPause))
    }
  }

  async #attempt<C extends CallContract>(write: Write, call: C, input: GivenInput<C>): Promise<Try['outcome']> {
    const headers = {
      [idempotencyKeyHeader]: write.key,
      [observedAtHeader]: new Date(write.seenAt + this.clockError).toISOString(),
      [sentAtHeader]: new Date(Date.now() + this.clockError).toISOString(),
    }
    await this.call(call, input, { headers }).catch(() => undefined)
    return write.tries.at(-1)?.outcome ?? 'unknown'
  }

  /** True if the server has rejected the token. */
  get isSignedOut(): boolean {
    return this.#token === ''
  }
}

/** A `not_on_duty` also rejects a try, but the outbox keeps the record: the next try may succeed. */
const isRefused = (error: unknown) =>
  failureOf(error) === 'rejected' || (error instanceof ApiError && error.code === 'not_on_duty')

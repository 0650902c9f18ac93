import { setTimeout as delay } from 'node:timers/promises'
import { ApiError, type Call } from '@evac/contract/client.ts'
import { callerOf } from '@evac/contract/fetch-caller.ts'
import type { CallContract, CallReply, GivenInput } from '@evac/contract/route.ts'
import { login } from '@evac/contract/sign-in.ts'
import { idempotencyKeyHeader, observedAtHeader, sentAtHeader } from '@evac/contract/write-headers.ts'
import { password } from '../e2e/support/organisation.ts'
import type { History, Try, Write, WriteKind } from './history.ts'

/** As the web app waits for an answer. */
const patienceMs = 10_000
/** Answers that end nothing: the same write is sent again later. */
const passing = new Set([0, 401, 408, 429])

export interface Who {
  name: string
  organisation: string
  email: string
}

/** One signed-in phone: what it asks for and what it is answered goes into the history. */
export class Session {
  readonly who: Who
  readonly history: History
  /** Milliseconds by which the phone's own clock is wrong. */
  readonly clockError: number
  readonly #url: string
  #token = ''
  #personUid = ''

  constructor(who: Who, url: string, history: History, clockError = 0) {
    this.who = who
    this.#url = url
    this.history = history
    this.clockError = clockError
  }

  get #call(): Call {
    return callerOf(this.#url, this.#token, patienceMs)
  }

  /** Until it succeeds, or the run ends. */
  async signIn(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      this.#token = ''
      const auth = await this.#call(login, { body: { email: this.who.email, password } }).catch(() => undefined)
      if (auth) {
        this.#token = auth.access_token
        this.#personUid = auth.Person_UID
        return
      }
      await delay(1_000)
    }
  }

  /** Undefined when it was refused or there was no answer: the screen keeps what it had. */
  async read<C extends CallContract>(call: C, input: GivenInput<C>): Promise<CallReply<C> | undefined> {
    this.history.reads++
    const reply = await this.#call(call, input).catch(() => undefined)
    this.history.show(this.who.organisation, reply)
    return reply
  }

  newWrite(kind: WriteKind, subject: string | null = null, wanted: string | null = null): Write {
    const write: Write = {
      who: this.who.name,
      organisation: this.who.organisation,
      personUid: this.#personUid,
      kind,
      key: crypto.randomUUID(),
      subject,
      wanted,
      seenAt: Date.now(),
      tries: [],
      reply: null,
    }
    this.history.writes.push(write)
    return write
  }

  /** One try. When it was seen the phone says by its own clock, which may be wrong. */
  async attempt<C extends CallContract>(write: Write, call: C, input: GivenInput<C>): Promise<Try['outcome']> {
    const startedAt = Date.now()
    const headers = {
      [idempotencyKeyHeader]: write.key,
      [observedAtHeader]: new Date(write.seenAt + this.clockError).toISOString(),
      [sentAtHeader]: new Date(startedAt + this.clockError).toISOString(),
    }
    const note = (outcome: Try['outcome'], code: string) => {
      write.tries.push({ startedAt, endedAt: Date.now(), outcome, code })
      return outcome
    }
    try {
      const reply = await this.#call(call, input, { headers })
      this.history.show(this.who.organisation, reply)
      write.reply = reply as Record<string, unknown>
      return note('ok', '')
    } catch (error) {
      const status = error instanceof ApiError ? error.status : 0
      const code = error instanceof ApiError ? error.code : 'no answer'
      if (status === 401) this.#token = ''
      return note(passing.has(status) || status >= 500 ? 'unknown' : 'fail', code)
    }
  }

  /** The server did not know its token any more. */
  get isSignedOut(): boolean {
    return this.#token === ''
  }
}

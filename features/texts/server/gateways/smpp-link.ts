import smpp, { type Pdu, type Session } from 'smpp'
import type { SmppSettings } from '#server/platform/config/gateway-settings.ts'

/** Throttled, or the provider's queue is full. The text is sent again a little later. */
const busy = new Set([0x58, 0x14])
const shortestPauseMs = 100
const longestPauseMs = 2_000

const timesOf = ({ times }: SmppSettings) => ({
  /** After this time without a bound connection, texts are rejected at once. */
  grace: 2_000,
  bind: 5_000,
  enquire: 15_000,
  /** Limit for the answer to an `enquire_link`. */
  answer: 5_000,
  firstReconnect: 250,
  /** A lost connection is retried every second, because texts wait. A provider that rejects the bind is retried less often. */
  longestReconnect: 1_000,
  longestRebind: 10_000,
  ...times,
})

/** An error status of the provider. */
export class SmppStatus extends Error {
  override name = 'SmppStatus'
  readonly status: number
  constructor(status: number) {
    super(`the SMPP provider answers with status 0x${status.toString(16)}`)
    this.status = status
  }
}

interface Submission {
  fields: Record<string, unknown>
  signal: AbortSignal | undefined
  resolve: (messageId: string) => void
  reject: (error: Error) => void
}

/** Adds the provider to errors of the network, which do not name it. */
const named = (error: Error) =>
  error.message.includes('SMPP')
    ? error
    : new Error(`the SMPP provider cannot be reached (${error.message || (error as NodeJS.ErrnoException).code})`)

export interface LinkEvents {
  /** Handles a receipt or an incoming text. Confirmed once it resolves. If it throws, the provider sends it again. */
  onDelivery: (pdu: Pdu) => Promise<void>
  /** Texts can be sent from now on. */
  onBound: () => void
  onTrouble: (error: unknown) => void
}

/** One connection to an SMPP provider, bound as a transceiver. Reconnects by itself. Observes window and rate. */
export class SmppLink {
  readonly #settings: SmppSettings
  readonly #times: ReturnType<typeof timesOf>
  readonly #events: LinkEvents
  #session: Session | undefined
  #state: 'binding' | 'bound' | 'down' | 'closed' = 'binding'
  #waiting: Submission[] = []
  readonly #submitted = new Set<Submission>()
  #failedBinds = 0
  #pauseMs = 0
  #notBefore = 0
  #pump: NodeJS.Timeout | undefined
  #grace: NodeJS.Timeout | undefined
  #reconnect: NodeJS.Timeout | undefined
  #watch: NodeJS.Timeout | undefined

  constructor(settings: SmppSettings, events: LinkEvents) {
    this.#settings = settings
    this.#times = timesOf(settings)
    this.#events = events
    this.#startGrace()
    this.#connect()
  }

  get isBound(): boolean {
    return this.#state === 'bound'
  }

  /** Resolves to the provider's id of the accepted text. */
  submit(fields: Record<string, unknown>, signal?: AbortSignal): Promise<string> {
    if (this.#state === 'down' || this.#state === 'closed') return Promise.reject(new Error('no SMPP connection'))
    return new Promise((resolve, reject) => {
      const submission = { fields, signal, resolve, reject }
      // an aborted text is not sent if it is still queued, and leaves the window if it was sent
      signal?.addEventListener('abort', () => this.#forget(submission), { once: true })
      this.#waiting.push(submission)
      this.#fillWindow()
    })
  }

  async close(): Promise<void> {
    this.#state = 'closed'
    clearTimeout(this.#reconnect)
    clearTimeout(this.#grace)
    const session = this.#session
    this.#letGo(new Error('the SMPP connection was closed'))
    if (!session) return
    const gone = new Promise<void>((resolve) => session.once('close', () => resolve()))
    if (!session.unbind({}, () => session.close())) session.destroy()
    const impatience = setTimeout(() => session.destroy(), 1_000)
    await gone
    clearTimeout(impatience)
  }

  #connect(): void {
    const { host, port, tls, ca } = this.#settings
    const session = smpp.connect({ host, port, tls, ...(ca && { ca }) })
    this.#session = session
    const lose = (error: Error) => this.#lose(session, error)
    const limit = setTimeout(() => lose(new Error('the SMPP provider did not answer the bind')), this.#times.bind)
    session.on(tls ? 'secureConnect' : 'connect', () => this.#bind(session, lose))
    session.on('error', lose)
    session.on('close', () => {
      clearTimeout(limit)
      lose(new Error('the SMPP provider closed the connection'))
    })
    session.on('bind_transceiver_resp', () => clearTimeout(limit))
    session.on('enquire_link', (pdu: Pdu) => session.send(pdu.response()))
    session.on('unbind', (pdu: Pdu) => {
      session.send(pdu.response())
      lose(new Error('the SMPP provider ended the session'))
    })
    for (const command of ['deliver_sm', 'data_sm'])
      session.on(command, (pdu: Pdu) => void this.#takeDelivery(session, pdu))
  }

  #bind(session: Session, lose: (error: Error) => void): void {
    const { systemId, password, systemType } = this.#settings
    const fields = { system_id: systemId, password, system_type: systemType, interface_version: 0x34 }
    session.bind_transceiver(fields, ({ command_status }) => {
      if (command_status !== 0) return lose(new SmppStatus(command_status))
      if (session !== this.#session || this.#state === 'closed') return
      this.#state = 'bound'
      this.#failedBinds = 0
      clearTimeout(this.#grace)
      this.#watchLine(session, lose)
      this.#fillWindow()
      this.#events.onBound()
    })
  }

  /** Detects a dead connection that was never closed. */
  #watchLine(session: Session, lose: (error: Error) => void): void {
    const ask = () => {
      const silent = () => lose(new Error('the SMPP provider does not answer'))
      this.#watch = setTimeout(silent, this.#times.answer)
      session.enquire_link({}, () => {
        if (session !== this.#session) return
        clearTimeout(this.#watch)
        this.#watch = setTimeout(ask, this.#times.enquire)
      })
    }
    this.#watch = setTimeout(ask, this.#times.enquire)
  }

  #lose(session: Session, error: Error): void {
    if (session !== this.#session) return
    const wasBound = this.#state === 'bound'
    this.#letGo(error)
    session.destroy()
    if (this.#state === 'closed') return
    if (wasBound) this.#startGrace()
    if (this.#state === 'bound') this.#state = 'binding'
    this.#events.onTrouble(named(error))
    const { firstReconnect, longestReconnect, longestRebind } = this.#times
    const longest = error instanceof SmppStatus ? longestRebind : longestReconnect
    const wait = Math.min(firstReconnect * 2 ** this.#failedBinds++, longest)
    this.#reconnect = setTimeout(() => this.#connect(), wait * (0.5 + Math.random() / 2))
  }

  /** Rejects all submissions. The provider may have accepted the sent ones: the caller decides. */
  #letGo(error: Error): void {
    this.#session = undefined
    clearTimeout(this.#watch)
    clearTimeout(this.#pump)
    this.#pump = undefined
    const lost = [...this.#submitted, ...(this.#state === 'closed' ? this.#waiting.splice(0) : [])]
    this.#submitted.clear()
    for (const { reject } of lost) reject(error)
  }

  #startGrace(): void {
    this.#grace = setTimeout(() => {
      if (this.#state === 'bound' || this.#state === 'closed') return
      this.#state = 'down'
      for (const { reject } of this.#waiting.splice(0)) reject(new Error('no SMPP connection'))
    }, this.#times.grace)
  }

  #fillWindow(): void {
    while (this.#state === 'bound' && this.#session && this.#submitted.size < this.#settings.window) {
      const wait = this.#notBefore - performance.now()
      if (wait > 0 && this.#waiting.length > 0) {
        this.#fillLater(wait)
        return
      }
      const next = this.#waiting.shift()
      if (!next) return
      this.#leave(this.#session, next)
    }
  }

  #fillLater(ms: number): void {
    this.#pump ??= setTimeout(() => {
      this.#pump = undefined
      this.#fillWindow()
    }, ms)
  }

  #leave(session: Session, submission: Submission): void {
    const { perSecond } = this.#settings
    if (perSecond) this.#notBefore = Math.max(this.#notBefore, performance.now() - 20) + 1000 / perSecond
    this.#submitted.add(submission)
    const isSent = session.submit_sm(submission.fields, (pdu) => {
      if (!this.#submitted.delete(submission)) return // aborted, or from an earlier connection
      this.#settle(submission, pdu)
      this.#fillWindow()
    })
    if (!isSent) this.#lose(session, new Error('the SMPP connection was lost'))
  }

  #settle(submission: Submission, { command_status: status, message_id }: Pdu): void {
    if (busy.has(status)) {
      this.#waiting.unshift(submission)
      // a whole window may be rejected at once, which counts as one reason to pause
      if (performance.now() < this.#notBefore) return
      this.#pauseMs = Math.min(Math.max(this.#pauseMs * 2, shortestPauseMs), longestPauseMs)
      this.#notBefore = performance.now() + this.#pauseMs
    } else if (status === 0 && message_id) {
      this.#pauseMs = 0
      submission.resolve(message_id)
    } else submission.reject(new SmppStatus(status))
  }

  #forget(submission: Submission): void {
    this.#waiting = this.#waiting.filter((other) => other !== submission)
    this.#submitted.delete(submission)
    submission.reject(new Error('the text was abandoned'))
    this.#fillWindow()
  }

  async #takeDelivery(session: Session, pdu: Pdu): Promise<void> {
    try {
      await this.#events.onDelivery(pdu)
      session.send(pdu.response())
    } catch (error) {
      this.#events.onTrouble(error)
      session.send(pdu.response({ command_status: temporaryFault }))
    }
  }
}

/** ESME_RX_T_APPN: asks the provider to send it again. */
const temporaryFault = 0x64

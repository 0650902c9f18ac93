import { setTimeout as delay } from 'node:timers/promises'
import type { CentrifugoAddress } from '../../platform/config/service-addresses.ts'
import type { CallOut } from '../../platform/outgoing.ts'
import type { CloseCode } from '../hub/codes.ts'
import type { Log } from '../hub/hub-context.ts'

/** What Centrifugo is told to do, in the words of its server API. */
export type Command =
  | { publish: { channel: string; data: object; version?: number; version_epoch?: string } }
  | { disconnect: { user: string; disconnect: CloseCode } }

interface Reply {
  error?: { code: number; message: string }
}

/** Commands of one request. Its answer stays far below what a call out may read. */
const mostAtOnce = 500
/** What no repetition can change: Centrifugo cannot read the command. */
const badRequest = 107
const [firstPauseMs, longestPauseMs] = [50, 2000]

/** Tells Centrifugo what to do, and again until it has done so. */
export class Centrifugo {
  readonly #address: Pick<CentrifugoAddress, 'url' | 'apiKey'>
  readonly #callOut: CallOut
  readonly #log: Log

  constructor(address: Pick<CentrifugoAddress, 'url' | 'apiKey'>, callOut: CallOut, log: Log) {
    this.#address = address
    this.#callOut = callOut
    this.#log = log
  }

  /**
   * Resolves when every command is taken. A command that fails is sent again alone, so each channel must have one at most. Throws
   * when that has not succeeded for `patienceMs`, or `signal` says so.
   */
  async tell(commands: readonly Command[], { patienceMs, signal }: { patienceMs: number; signal: AbortSignal }) {
    for (let at = 0; at < commands.length; at += mostAtOnce)
      await this.#untilTaken(commands.slice(at, at + mostAtOnce), performance.now() + patienceMs, signal)
  }

  /** Throws the reason if it would take no publication now. It reads the history of a channel, and so its engine. */
  async check(channel = 'event:check') {
    const { error } = await this.ask('history', { channel, limit: 0 })
    if (error) throw new Error(`Centrifugo cannot read a history: ${error.message} (${error.code})`)
  }

  /** Asks one thing. Throws if Centrifugo is away, or refuses the key. */
  async ask(
    method: string,
    question: object,
  ): Promise<{ result?: unknown; error?: { code: number; message: string } }> {
    const { status, body } = await this.#callOut({
      url: `${this.#address.url}/api/${method}`,
      setBy: 'operator',
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': this.#address.apiKey },
      body: JSON.stringify(question),
    })
    if (status === 401) throw new Error('Centrifugo refuses CENTRIFUGO_API_KEY')
    if (status !== 200) throw new Error(`Centrifugo answered ${status}`)
    return JSON.parse(body.toString())
  }

  async #untilTaken(commands: readonly Command[], until: number, signal: AbortSignal) {
    let waiting = commands
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      signal.throwIfAborted()
      const failure = await this.#send(waiting).then(
        (failed) => {
          waiting = failed
          return new Error(`Centrifugo took ${commands.length - failed.length} of ${commands.length} commands`)
        },
        (error: Error) => error,
      )
      if (waiting.length === 0) return
      if (performance.now() >= until) throw failure
      await delay(pauseMs * (0.5 + Math.random() / 2), undefined, { signal })
    }
  }

  /** Returns what is to be sent again. */
  async #send(commands: readonly Command[]): Promise<readonly Command[]> {
    const { replies } = (await this.ask('batch', { commands, parallel: true })) as { replies?: Reply[] }
    return commands.filter((command, nth) => {
      const error = replies?.[nth] ? replies[nth].error : { code: 0, message: 'no reply' }
      if (error?.code !== badRequest) return error
      this.#log.error({ error, command: Object.keys(command) }, 'Centrifugo cannot read a command')
      return false
    })
  }
}

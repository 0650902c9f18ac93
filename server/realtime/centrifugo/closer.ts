import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../platform/db/db.ts'
import type { Closing } from '../feed/publications.ts'
import type { Log } from '../hub/hub-context.ts'
import { listParticipations } from './centrifugo.queries.ts'
import type { Centrifugo } from './centrifugo.ts'

interface CloserOptions {
  db: Db
  centrifugo: Centrifugo
  log: Log
  signal: AbortSignal
}

/** A message between the nodes of Centrifugo arrives once at most, so each close is said twice. */
const againMs = 1000
/** Nothing is held up meanwhile. */
const patienceMs = 60_000

/** Closes the sockets of those who may not listen any more. */
export class Closer {
  readonly #options: CloserOptions

  constructor(options: CloserOptions) {
    this.#options = options
  }

  close(closing: Closing) {
    void this.#close(closing).catch((error) => {
      if (!this.#options.signal.aborted) this.#options.log.error({ err: error }, 'Sockets could not be closed')
    })
  }

  async #close({ who, close, afterMs }: Closing) {
    const { db, centrifugo, signal } = this.#options
    await delay(afterMs, undefined, { signal })
    const users = 'sub' in who ? [who.sub] : await listParticipations(db, who.channel.replace('event:', ''))
    const commands = users.map((user) => ({ disconnect: { user, disconnect: close } }))
    await centrifugo.tell(commands, { patienceMs, signal })
    await delay(againMs, undefined, { signal })
    await centrifugo.tell(commands, { patienceMs, signal })
  }
}

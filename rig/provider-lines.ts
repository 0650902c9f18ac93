import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import smpp, { type Pdu, type Session } from 'smpp'

/** The lines of a provider's short message centre, also of the one in `faults`. What becomes of a text is for `take` to say. */
export class ProviderLines {
  readonly #server: Server
  readonly #sessions = new Set<Session>()
  readonly #bound = new Set<Session>()

  constructor(take: (text: Pdu, session: Session) => void) {
    this.#server = smpp.createServer({}, (session) => {
      this.#sessions.add(session)
      session.on('error', () => undefined)
      session.on('close', () => {
        this.#sessions.delete(session)
        this.#bound.delete(session)
      })
      session.on('bind_transceiver', () => this.#bound.add(session))
      for (const command of ['bind_transceiver', 'enquire_link', 'unbind'])
        session.on(command, (pdu: Pdu) => session.send(pdu.response()))
      session.on('submit_sm', (pdu: Pdu) => take(pdu, session))
    })
  }

  get isBound(): boolean {
    return this.#bound.size > 0
  }

  /** On any port when none is given; answers which. */
  async listen(port = 0): Promise<number> {
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  /** Brings a receipt to whoever is bound, if anybody is. */
  report(receipt: string, onConfirmed?: () => void): void {
    const [session] = this.#bound
    session?.deliver_sm({ esm_class: 4, short_message: { message: receipt } }, onConfirmed)
  }

  /** Cuts every line and takes no more, until it listens again. */
  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const session of this.#sessions) session.destroy()
    await closed
  }
}

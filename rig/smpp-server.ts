import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import smpp, { type Pdu, type Session } from 'smpp'

/** The SMPP sessions of an SMSC simulator. `take` decides what happens to a text. */
export class SmppServer {
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

  /** Listens on a free port unless one is given. Returns the port. */
  async listen(port = 0): Promise<number> {
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  /** Sends a receipt on a bound session, if there is one. */
  report(receipt: string, onConfirmed?: () => void): void {
    const [session] = this.#bound
    session?.deliver_sm({ esm_class: 4, short_message: { message: receipt } }, onConfirmed)
  }

  /** Closes every session and accepts none until `listen` is called again. */
  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const session of this.#sessions) session.destroy()
    await closed
  }
}

import { once } from 'node:events'
import smpp, { type Pdu, type Session } from 'smpp'
import type { Copy } from './history.ts'

/** `failing` turns every text down for now; `silent` takes it and says nothing; `deaf` does not even take it. */
export type Mood = 'well' | 'failing' | 'silent' | 'deaf'
const systemError = 0x08
const receiptAfterMs = 300

/** A provider's short message centre. It notes every text that it takes, and reports each as delivered. */
export class TextCentre {
  mood: Mood = 'well'
  readonly #copies: Copy[]
  readonly #server
  readonly #sessions = new Set<Session>()
  #taken = 0

  constructor(copies: Copy[]) {
    this.#copies = copies
    this.#server = smpp.createServer({}, (session) => this.#serve(session))
  }

  async listen(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  close(): void {
    this.#server.close()
    for (const session of this.#sessions) session.destroy()
  }

  #serve(session: Session): void {
    this.#sessions.add(session)
    session.on('error', () => undefined)
    session.on('close', () => this.#sessions.delete(session))
    for (const command of ['bind_transceiver', 'enquire_link', 'unbind'])
      session.on(command, (pdu: Pdu) => session.send(pdu.response()))
    session.on('submit_sm', (pdu: Pdu) => this.#take(session, pdu))
  }

  #take(session: Session, pdu: Pdu): void {
    if (this.mood === 'failing') return void session.send(pdu.response({ command_status: systemError }))
    if (this.mood === 'deaf') return
    const id = `c${++this.#taken}`
    this.#copies.push({
      to: pdu.destination_addr ?? '',
      body: String(pdu.short_message?.message ?? ''),
      at: Date.now(),
    })
    if (this.mood === 'silent') return
    session.send(pdu.response({ message_id: id }))
    setTimeout(() => this.#report(id), receiptAfterMs).unref()
  }

  #report(id: string): void {
    const [session] = this.#sessions
    session?.deliver_sm({ esm_class: 4, short_message: { message: `id:${id} stat:DELIVRD err:000` } })
  }
}

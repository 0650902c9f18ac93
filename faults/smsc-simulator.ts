import type { Pdu, Session } from 'smpp'
import { SmppServer } from '../rig/smpp-server.ts'
import type { Copy } from './evidence/history.ts'

/**
 * `failing` rejects every text for now. `silent` accepts texts without answering. `deaf` neither accepts nor answers.
 */
export type Mode = 'working' | 'failing' | 'silent' | 'deaf'
const systemError = 0x08
const receiptAfterMs = 300

/** An SMSC simulator. It notes each accepted text and reports it as delivered. */
export class SmscSimulator {
  mode: Mode = 'working'
  readonly #copies: Copy[]
  readonly #lines = new SmppServer((text, session) => this.#take(text, session))
  #taken = 0

  constructor(copies: Copy[]) {
    this.#copies = copies
  }

  async listen(port: number): Promise<void> {
    await this.#lines.listen(port)
  }

  close = () => this.#lines.close()

  #take(pdu: Pdu, session: Session): void {
    if (this.mode === 'failing') return void session.send(pdu.response({ command_status: systemError }))
    if (this.mode === 'deaf') return
    const id = `c${++this.#taken}`
    this.#copies.push({
      to: pdu.destination_addr ?? '',
      body: String(pdu.short_message?.message ?? ''),
      at: Date.now(),
    })
    if (this.mode === 'silent') return
    session.send(pdu.response({ message_id: id }))
    setTimeout(() => this.#lines.report(`id:${id} stat:DELIVRD err:000`), receiptAfterMs).unref()
  }
}

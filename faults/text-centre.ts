import type { Pdu, Session } from 'smpp'
import { ProviderLines } from '../rig/provider-lines.ts'
import type { Copy } from './evidence/history.ts'

/** `failing` turns every text down for now; `silent` takes it and says nothing; `deaf` does not even take it. */
export type Mood = 'well' | 'failing' | 'silent' | 'deaf'
const systemError = 0x08
const receiptAfterMs = 300

/** A provider's short message centre. It notes every text that it takes, and reports each as delivered. */
export class TextCentre {
  mood: Mood = 'well'
  readonly #copies: Copy[]
  readonly #lines = new ProviderLines((text, session) => this.#take(text, session))
  #taken = 0

  constructor(copies: Copy[]) {
    this.#copies = copies
  }

  async listen(port: number): Promise<void> {
    await this.#lines.listen(port)
  }

  close = () => this.#lines.close()

  #take(pdu: Pdu, session: Session): void {
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
    setTimeout(() => this.#lines.report(`id:${id} stat:DELIVRD err:000`), receiptAfterMs).unref()
  }
}

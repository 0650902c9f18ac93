import { Undeliverable } from '../../platform/outgoing.ts'

/** One text, ready to go out. `reference` names it in whatever the provider reports later, and is the same at a repeat. */
export interface OutgoingText {
  reference: string
  to: string
  body: string
}

/**
 * A way out for texts. `send` answers once the provider has taken the text; throws TextRejected when it never will, and
 * anything else when it may at another try. A worker that was killed may hand over the same reference again.
 */
export interface SmsGateway {
  send(text: OutgoingText): Promise<{ providerId: string }>
}

/** What a provider reports of a text it has taken. */
export interface Receipt {
  reference: string
  status: 'delivered' | 'failed'
  reason?: string
}

export class TextRejected extends Undeliverable {
  override name = 'TextRejected'
}

/** While no provider is set up every text fails, visibly. */
export const noGateway: SmsGateway = {
  async send() {
    throw new TextRejected('No SMS provider is set up.')
  },
}

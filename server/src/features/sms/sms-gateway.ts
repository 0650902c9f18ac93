import { noGatewaySetUp } from './wording.service.ts'

/** One text, ready to go out. `reference` names it in whatever the provider reports later, and is the same at a repeat. */
export interface OutgoingText {
  reference: string
  to: string
  body: string
  /** Too late after this; a provider that can is told so. */
  validUntil: Date
}

/** What a provider called the text it took: one name, or one for each piece that is reported on its own. */
export interface Handover {
  gateway: string
  providerIds: readonly [string, ...string[]]
}

/**
 * A way out for texts. `send` answers once the provider has taken the text; throws TextRejected when nobody ever will,
 * GatewayRefusal when this provider never will, and anything else when it may at another try. Once `signal` is aborted
 * nobody waits any more: what has not left yet must not leave. A worker that was killed may hand over the same reference
 * again.
 */
export interface SmsGateway {
  readonly name: string
  send(text: OutgoingText, signal?: AbortSignal): Promise<Handover>
  /** Whether texts would leave now, as far as can be told without sending one; throws why not. */
  check?(): Promise<void>
  /** One that notices by itself that it takes texts again tells the listener. */
  whenBack?(listener: () => void): void
  /** Lets go of what it holds open. */
  close(): Promise<void>
}

/** What a provider reports of a text (or a piece of one) that it has taken. */
export interface Receipt {
  gateway: string
  providerId: string
  /** Where the provider repeats it; otherwise the text is found by the provider's own name for it. */
  reference?: string
  status: 'handed_over' | 'delivered' | 'failed'
  reason?: string
}

/** What became of a text at one gateway. `refused`: it will not take this one; `failed` and `silent`: it may later. */
export type TryOutcome = 'taken' | 'refused' | 'failed' | 'silent'

/** No other try will help, anywhere; the message says why. */
export class TextRejected extends Error {
  override name = 'TextRejected'
}

/** This provider will never take this text, but another might; the message says why. */
export class GatewayRefusal extends Error {
  override name = 'GatewayRefusal'
}

/** All of them failed or are left alone for a moment; each has been complained of already. */
export class GatewaysAway extends Error {
  override name = 'GatewaysAway'
}

/** While no provider is set up every text fails, visibly. */
export const noGateway: SmsGateway = {
  name: 'none',
  async send() {
    throw new TextRejected(noGatewaySetUp)
  },
  async close() {},
}

import { noGatewaySetUp } from './wording.service.ts'

/** A text to send. `reference` identifies it in receipts and stays the same when it is sent again. */
export interface OutgoingText {
  reference: string
  to: string
  body: string
  /** The text must not arrive later. Passed on to providers that support it. */
  validUntil: Date
}

/** A call to make. `reference` identifies it in what is reported of it, and stays the same when it is made again. */
export interface OutgoingCall {
  reference: string
  to: string
  /** What the voice says, twice. */
  say: string
  /** The keys that answer it. */
  keys: string
  /** The phone must not ring later. */
  until: Date
}

/** The provider's ids of an accepted text: one, or one per part with a receipt of its own. */
export interface Handover {
  gateway: string
  providerIds: readonly [string, ...string[]]
}

/** A call that a provider has taken. */
export interface TakenCall {
  gateway: string
  providerId: string
}

/**
 * Sends texts. `send` resolves once the provider has accepted the text. It throws TextRejected if no provider will ever
 * accept it, GatewayRefusal if this one never will, and any other error if a retry may work. After `signal` aborts, an
 * unsent text must not be sent. A killed worker's successor may send the same reference again.
 */
export interface SmsGateway {
  readonly name: string
  send(text: OutgoingText, signal?: AbortSignal): Promise<Handover>
  /** Makes a call, if this provider can: as `send`, with the same errors. Resolves before the phone rings. */
  call?(call: OutgoingCall, signal?: AbortSignal): Promise<Handover>
  /** Ends a call that rings. One that was answered or has ended stays as it is. Throws if the provider does not do it. */
  hangUp?(call: TakenCall): Promise<void>
  /** Checks, without sending, whether texts would be sent now. Throws the reason if not. */
  check?(): Promise<void>
  /** Calls the listener when the gateway notices that it accepts texts again. */
  whenBack?(listener: () => void): void
  close(): Promise<void>
}

/** A provider's report about an accepted text or part. */
export interface Receipt {
  gateway: string
  providerId: string
  /** If the provider repeats it. Otherwise the text is found by the provider's id. */
  reference?: string
  status: 'handed_over' | 'delivered' | 'failed'
  reason?: string
}

/** The outcome of one try at one gateway. `refused` is final for this text there. After `failed` and `silent` a retry may work. */
export type TryOutcome = 'taken' | 'refused' | 'failed' | 'silent'

/** No provider will ever accept the text. The message gives the reason. */
export class TextRejected extends Error {
  override name = 'TextRejected'
}

/** This provider will never accept the text, but another one may. The message gives the reason. */
export class GatewayRefusal extends Error {
  override name = 'GatewayRefusal'
}

/** Every gateway failed or has an open circuit breaker. Each failure is already logged. */
export class GatewaysAway extends Error {
  override name = 'GatewaysAway'
}

/** Without a configured provider every text fails with a reason. */
export const noGateway: SmsGateway = {
  name: 'none',
  async send() {
    throw new TextRejected(noGatewaySetUp)
  },
  async close() {},
}

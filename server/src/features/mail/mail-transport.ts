import { Undeliverable } from './outgoing.ts'

/** One mail, ready to go out. `reference` is the same at a repeat, so that a reader's program shows it once. */
export interface OutgoingMail {
  reference: string
  to: string
  subject: string
  body: string
}

/**
 * A way out for mails. `send` answers once the server has taken the mail; throws Undeliverable when it never will, and
 * anything else when it may at another try.
 */
export interface MailTransport {
  send(mail: OutgoingMail): Promise<{ providerId: string }>
  /** Whether the server is there and lets us in; throws why not. */
  check?(): Promise<void>
}

/** While no mail server is set up every mail fails, visibly. */
export const noTransport: MailTransport = {
  async send() {
    throw new Undeliverable('No mail server is set up.')
  },
}

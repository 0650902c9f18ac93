import { Undeliverable } from './outgoing.ts'

/** A mail to send. `reference` stays the same when it is sent again, so that mail programs show it once. */
export interface OutgoingMail {
  reference: string
  to: string
  subject: string
  body: string
}

/**
 * Sends mails. `send` resolves once the server has accepted the mail. It throws Undeliverable if the server never will,
 * and any other error if a retry may work.
 */
export interface MailTransport {
  send(mail: OutgoingMail): Promise<{ providerId: string }>
  /** Checks whether the server answers and accepts the credentials. Throws the reason if not. */
  check?(): Promise<void>
}

/** Without a configured mail server every mail fails with a reason. */
export const noTransport: MailTransport = {
  async send() {
    throw new Undeliverable('No mail server is set up.')
  },
}

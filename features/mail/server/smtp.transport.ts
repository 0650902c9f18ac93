import { createTransport } from 'nodemailer'
import type { MailTransport } from './mail-transport.ts'
import { Undeliverable } from './outgoing.ts'

/** Each shorter than a mail's lease (`mail.queries.ts`). */
const timeouts = { dnsTimeout: 5_000, connectionTimeout: 8_000, greetingTimeout: 8_000, socketTimeout: 15_000 }

/** Sends by the mail server at `smtpUrl`. Unencrypted only on this machine. */
export function createSmtpTransport(smtpUrl: string, from: string): MailTransport {
  const isHere = /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(smtpUrl).hostname)
  const transport = createTransport({
    url: smtpUrl,
    ...(isHere ? { ignoreTLS: true } : { requireTLS: true }),
    ...timeouts,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async check() {
      // nothing is sent, so the message names no receiver
      await transport.verify().catch(({ code, message }: SmtpError) => {
        throw new Error(`mail server: ${code ?? 'no answer'}, ${message}`)
      })
    },
    async send({ reference, to, subject, body }) {
      const address = { name: '', address: to } // a plain string would be parsed as a list
      const messageId = `<${reference}@evac>`
      const headers = { 'Auto-Submitted': 'auto-generated' }
      try {
        const sent = await transport.sendMail({ from, to: address, subject, text: body, messageId, headers })
        return { providerId: sent.messageId }
      } catch (error) {
        throw explain(error as SmtpError)
      }
    },
  }
}

interface SmtpError extends Error {
  code?: string
  responseCode?: number
}

/** The server's message may name the receiver, so only its codes are kept. */
function explain({ code, responseCode = 0 }: SmtpError): Error {
  const isRefused = (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500
  if (isRefused) return new Undeliverable(`The mail server refused it (${responseCode}).`)
  return new Error(`mail server: ${code ?? 'no answer'} ${responseCode || ''}`.trim())
}

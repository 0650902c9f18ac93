import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { requestPasswordReset } from '#features/sign-in/calls/password-reset.ts'
import { post } from '#server/testing/post.ts'
import { countStates, endLeases, recordingSender } from '#server/testing/queued.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import type { MailTransport, OutgoingMail } from './mail-transport.ts'

interface ReceivedMail {
  from: string
  to: string[]
  /** Headers and body as they came. */
  raw: string
  headers: string
  body: string
}

/** A real mail server on this machine that keeps what it is sent. */
export async function startMailServer(options: SMTPServerOptions = {}) {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: async (stream, { envelope }, done) => {
      const raw = await text(stream)
      const [headers = '', ...rest] = raw.split('\r\n\r\n')
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      received.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw, headers, body: decode(rest) })
      done()
    },
    ...options,
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    received,
    url: `smtp://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  }
}

/** Quoted-printable, in which long lines travel. */
const decode = (parts: string[]) =>
  Buffer.from(
    parts
      .join('\n\n')
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replaceAll('\r\n', '\n'),
    'latin1',
  ).toString('utf8')

/** A mail server that does as told and remembers what it was given. */
export function carrier(answer: (mail: OutgoingMail, nth: number) => void | Promise<void> = () => undefined) {
  const { taken, send } = recordingSender(answer, (nth) => ({ providerId: `m-${nth}` }))
  const transport: MailTransport = { send }
  return { transport, taken }
}

export const rows = ({ db }: TestServer) => db.selectFrom('mail').selectAll().orderBy('createdAt').execute()
export const states = async (server: TestServer) => countStates(await rows(server))
export const letTimePass = (server: TestServer) => endLeases(server, 'mail')

/** This many wardens have asked for a new password. */
export async function waitingMails(server: TestServer, count: number) {
  const org = await server.given.organisation()
  const wardens = await Promise.all(Array.from({ length: count }, () => server.given.warden(org)))
  for (const { email } of wardens) await post(server, requestPasswordReset.path, { email })
  return wardens
}

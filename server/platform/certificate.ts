import { isIP } from 'node:net'
import { connect } from 'node:tls'

export interface Certificate {
  endsAt: Date
  /** Why browsers refuse it. Absent: they trust it. */
  trouble?: Error
}

const patienceMs = 10_000

/** The certificate that an https address shows. Undefined if no one answers there with TLS. */
export function readCertificate({ hostname, port }: URL): Promise<Certificate | undefined> {
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((done) => {
    const name = isIP(host) ? {} : { servername: host }
    const socket = connect({ host, port: Number(port || 443), ...name, rejectUnauthorized: false, timeout: patienceMs })
    const end = (found?: Certificate) => {
      socket.destroy()
      done(found)
    }
    socket.once('secureConnect', () => {
      const endsAt = new Date(socket.getPeerCertificate().valid_to)
      end(socket.authorized ? { endsAt } : { endsAt, trouble: socket.authorizationError })
    })
    socket.once('error', () => end())
    socket.once('timeout', () => end())
  })
}

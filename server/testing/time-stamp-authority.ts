import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openOutgoing } from '../platform/outgoing.ts'

export const hasOpenssl = (() => {
  try {
    return execFileSync('openssl', ['version']).length > 0
  } catch {
    return false
  }
})()

const settings = `
[tsa]
default_tsa = own
[own]
serial = ./serial
signer_cert = ./tsa.pem
certs = ./ca.pem
signer_key = ./tsa.key
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256
ess_cert_id_alg = sha256
[stamping]
extendedKeyUsage = critical,timeStamping
`

/** A time stamp authority of OpenSSL's, with a certificate authority of its own. */
export function makeAuthority() {
  const folder = mkdtempSync(join(tmpdir(), 'evac-tsa-'))
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' })
  writeFileSync(join(folder, 'tsa.cnf'), settings)
  writeFileSync(join(folder, 'serial'), '01\n')
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Own CA')
  openssl('req', ...key, '-keyout', 'tsa.key', '-out', 'tsa.csr', '-subj', '/CN=Own TSA')
  openssl(
    ...['x509', '-req', '-in', 'tsa.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2'],
    ...['-extfile', 'tsa.cnf', '-extensions', 'stamping', '-out', 'tsa.pem'],
  )
  return {
    folder,
    openssl,
    answer: (query: Buffer) => {
      writeFileSync(join(folder, 'query.tsq'), query)
      openssl('ts', '-reply', '-config', 'tsa.cnf', '-queryfile', 'query.tsq', '-out', 'answer.tsr')
      return readFileSync(join(folder, 'answer.tsr'))
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

async function bodyOf(request: IncomingMessage) {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Answers each query, as an authority does over HTTP. */
export async function serveStamps(answer: (query: Buffer, response: ServerResponse) => Buffer | undefined) {
  const types: (string | undefined)[] = []
  const server = createServer(async (request, response) => {
    types.push(request.headers['content-type'])
    response.setHeader('content-type', 'application/timestamp-reply')
    const stamp = answer(await bodyOf(request), response)
    if (stamp) response.end(stamp)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsa`
  return {
    url,
    types,
    callOut: openOutgoing({ outgoingProxy: '' }),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}

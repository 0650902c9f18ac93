import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { endedDrill, sealWhole, signerOf, writeBundle } from '../../testing/event-log.ts'
import { test } from '../../testing/server-test.ts'
import { headsOf, signHead, stampHeads } from './heads.service.ts'

const hasOpenssl = (() => {
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
function makeAuthority() {
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
async function serveStamps(answer: (query: Buffer) => Buffer) {
  const types: (string | undefined)[] = []
  const server = createServer(async (request, response) => {
    types.push(request.headers['content-type'])
    response.setHeader('content-type', 'application/timestamp-reply')
    response.end(answer(await bodyOf(request)))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsa`
  return { url, types, [Symbol.asyncDispose]: () => new Promise<void>((done) => void server.close(() => done())) }
}

const fail = (error: unknown) => {
  throw error
}

test.skipIf(!hasOpenssl)(
  'LOG-05 a head is time-stamped by RFC 3161, and openssl verifies the stamp of the bundle',
  async ({ server }) => {
    using authority = makeAuthority()
    await using http = await serveStamps(authority.answer)
    const { of } = await endedDrill(server)
    const size = await sealWhole(server, of)
    await signHead(server.db, signerOf(server), of)

    await stampHeads(server.db, http.url, fail)
    await stampHeads(server.db, http.url, fail)

    expect(http.types).toEqual(['application/timestamp-query'])
    using bundle = await writeBundle(server, of)
    const verify = (data: string) =>
      authority.openssl('ts', '-verify', '-in', bundle.path(`log/${size}.tsr`), '-data', data, '-CAfile', 'ca.pem')
    expect(String(verify(bundle.path(`log/heads/${size}`)))).toContain('Verification: OK')
    expect(() => verify(bundle.path('journal.ndjson'))).toThrow()
    expect((await bundle.check()).code).toBe(0)
  },
)

test('LOG-05 an authority that is away or answers nonsense is asked again for a day, and no longer', async ({
  server,
}) => {
  const { of, eventUid } = await endedDrill(server)
  await sealWhole(server, of)
  await signHead(server.db, signerOf(server), of)
  await sql`update record_head set tsr = 'x' where event_uid <> ${eventUid}`.execute(server.db)
  const answers: Buffer[] = []
  await using http = await serveStamps((query) => {
    answers.push(query)
    return Buffer.from('30053003020102', 'hex') // rejection
  })
  const troubles: unknown[] = []
  const ask = () => stampHeads(server.db, http.url, (error) => troubles.push(String(error)))

  await ask()
  await stampHeads(server.db, 'http://127.0.0.1:9/', (error) => troubles.push(String(error)))
  await ask()
  await sql`update record_head set at = now() - interval '25 hours'`.execute(server.db)
  await ask()

  expect(answers).toHaveLength(2)
  expect(troubles).toEqual([
    `Error: The time stamp authority ${new URL(http.url).host} gave no time stamp (HTTP 200).`,
    expect.stringContaining('fetch failed'),
    expect.stringContaining('gave no time stamp'),
  ])
  expect((await headsOf(server.db, of)).map(({ tsr }) => tsr)).toEqual([null])
})

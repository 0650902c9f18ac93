import type { ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { endedDrill, sealWhole, signingOf, writeBundle } from '#server/testing/event-log.ts'
import { test } from '#server/testing/server-test.ts'
import { hasOpenssl, makeAuthority, serveStamps } from '#server/testing/time-stamp-authority.ts'
import { headsOf, signHead, stampHeads } from './heads.service.ts'

const fail = (error: unknown) => {
  throw error
}

test.skipIf(!hasOpenssl)(
  'SEAL-07 a head is time-stamped by RFC 3161, and openssl verifies the stamp of the bundle',
  async ({ server }) => {
    using authority = makeAuthority()
    await using http = await serveStamps(authority.answer)
    const { of } = await endedDrill(server)
    const size = await sealWhole(server, of)
    await signHead(signingOf(server), of)

    await stampHeads(server.db, http, fail)
    await stampHeads(server.db, http, fail)

    expect(http.types).toEqual(['application/timestamp-query'])
    using bundle = await writeBundle(server, of)
    const verify = (data: string) =>
      authority.openssl('ts', '-verify', '-in', bundle.path(`log/${size}.tsr`), '-data', data, '-CAfile', 'ca.pem')
    expect(String(verify(bundle.path(`log/heads/${size}`)))).toContain('Verification: OK')
    expect(() => verify(bundle.path('journal.ndjson'))).toThrow()
    expect((await bundle.check()).code).toBe(0)
  },
)

test('SEAL-07 an authority that is away or answers nonsense is asked again for a day, and no longer', async ({
  server,
}) => {
  const { of, eventUid } = await endedDrill(server)
  await sealWhole(server, of)
  await signHead(signingOf(server), of)
  await sql`update record_head set tsr = 'x' where event_uid <> ${eventUid}`.execute(server.db)
  const answers: Buffer[] = []
  await using http = await serveStamps((query) => {
    answers.push(query)
    return Buffer.from('30053003020102', 'hex') // rejection
  })
  const troubles: unknown[] = []
  const ask = () => stampHeads(server.db, http, (error) => troubles.push(String(error)))

  await ask()
  await stampHeads(server.db, { ...http, url: 'http://127.0.0.1:9/' }, (error) => troubles.push(String(error)))
  await ask()
  await sql`update record_head set at = now() - interval '25 hours'`.execute(server.db)
  await ask()

  expect(answers).toHaveLength(2)
  expect(troubles).toEqual([
    `Error: The time stamp authority ${new URL(http.url).host} gave no time stamp (HTTP 200).`,
    expect.stringContaining('ECONNREFUSED'),
    expect.stringContaining('gave no time stamp'),
  ])
  expect((await headsOf(server.db, of)).map(({ tsr }) => tsr)).toEqual([null])
})

test('OUT-01 SEAL-07 an authority that redirects inside, says it is large or never ends gives no time stamp', async ({
  server,
}) => {
  const { of, eventUid } = await endedDrill(server)
  await sealWhole(server, of)
  await signHead(signingOf(server), of)
  await sql`update record_head set tsr = 'x' where event_uid <> ${eventUid}`.execute(server.db)
  await using inside = await serveStamps(() => Buffer.from('30053003020100', 'hex'))
  const bad = [
    (_: Buffer, response: ServerResponse) => void response.writeHead(307, { location: inside.url }).end(),
    (_: Buffer, response: ServerResponse) => void response.end(Buffer.alloc(300_000)),
    (_: Buffer, response: ServerResponse) => {
      const more = () => !response.destroyed && response.write(Buffer.alloc(65_536), () => setImmediate(more))
      more()
    },
  ]
  const troubles: unknown[] = []
  for (const answer of bad) {
    await using http = await serveStamps(answer as never)
    await stampHeads(server.db, http, (error) => troubles.push(String(error).replace(/:\d+/, '')))
  }

  expect(troubles).toEqual([
    'Error: 127.0.0.1 answered with a redirect.',
    ...Array.from({ length: 2 }, () => 'Error: 127.0.0.1 answered with more than 256 kB.'),
  ])
  expect(inside.types).toEqual([])
})

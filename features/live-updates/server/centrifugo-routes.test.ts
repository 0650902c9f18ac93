import { jwtVerify } from 'jose'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { reportIn } from '#features/duty/calls/report-in.ts'
import { deriveSecrets } from '#server/platform/secrets.ts'
import { testsWithServer } from '#server/testing/server-test.ts'
import { secretKey, type TestServer, testConfig } from '#server/testing/test-server.ts'
import { getChannels, getChannelToken, pollEvent } from '../calls/realtime.ts'

const publicUrl = 'wss://live.evac.test/connection/websocket'
const centrifugo = { url: 'http://127.0.0.1:9', apiKey: 'key', publicUrl }
const test = testsWithServer({ config: { ...testConfig, centrifugo } })

async function onDuty(server: TestServer) {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const { eventUid } = await server.runningEvent(org)
  const call = await server.as(warden)
  await call(reportIn, {})
  const uid = (await server.signInOf(eventUid, warden))?.uid as string
  return { call, uid, channels: [`event:${eventUid}`, `warden:${uid}`], eventUid }
}

/** What Centrifugo does with a token: the key is text. */
const verify = (token: string) => {
  const key = Buffer.from(deriveSecrets(secretKey).realtime).toString('base64url')
  return jwtVerify(token, Buffer.from(key), { algorithms: ['HS256'], audience: 'evac-realtime' })
}

test('LIVE-02 RT-11 RT-12 the connection token names the channels without a subscription, and each channel has its own token', async ({
  server,
}) => {
  const { call, uid, channels } = await onDuty(server)

  const { token, expires_in, url, channel_tokens } = await call(getChannelToken, {})

  const { payload, protectedHeader } = await verify(token)
  expect(Object.keys(payload).toSorted()).toEqual(['aud', 'exp', 'iat', 'jti', 'meta', 'sub'])
  expect(payload).toMatchObject({ sub: uid, meta: { channels, sid: expect.any(String) } })
  expect([protectedHeader.alg, expires_in, (payload.exp ?? 0) - (payload.iat ?? 0)]).toEqual(['HS256', 3600, 3600])
  expect(url).toBe(publicUrl)
  expect(Object.keys(channel_tokens ?? {})).toEqual(channels)
  for (const [channel, own] of Object.entries(channel_tokens ?? {}))
    expect((await verify(own)).payload).toMatchObject({ sub: uid, channel, exp: payload.exp })
})

test('LIVE-07 FEED-02 the list says for how long no process has published', async ({ server }) => {
  const { call } = await onDuty(server)
  const behind = async () => (await call(getChannels, {})).live?.behind_seconds
  const said = (secondsAgo: number) =>
    sql`insert into centrifugo_position (xid, epoch, at) values ('1', 'e', now() - make_interval(secs => ${secondsAgo}))
      on conflict (only_row) do update set at = excluded.at`.execute(server.db)

  expect(await behind()).toBe(10)
  await said(0)
  await expect.poll(behind).toBeUndefined()
  await said(12)
  await expect.poll(behind).toBeOneOf([12, 13, 14])
})

test('LIVE-04 the poll says up to which transaction it has everything', async ({ server }) => {
  const { call, eventUid } = await onDuty(server)
  const { rows } = await sql<{ xid: number }>`
    select max(xid)::text::float8 as xid from journal where event_uid = ${eventUid}`.execute(server.db)

  await expect.poll(async () => (await call(pollEvent, {})).at).toBeGreaterThanOrEqual(rows[0]?.xid ?? Number.NaN)
})

test('LIVE-01 the page may connect to where Centrifugo is', async ({ server }) => {
  const { headers } = await server.app.inject('/health')

  expect(headers['content-security-policy']).toContain(`connect-src 'self' ws://localhost:8080 wss://live.evac.test;`)
})

import { createPublicKey } from 'node:crypto'
import { jwtVerify } from 'jose'
import { expect } from 'vitest'
import type { OutgoingRequest } from '#server/platform/outgoing.ts'
import type { Warden } from '#server/testing/given-wardens.ts'
import { takeDueSteps } from '#server/testing/reaches.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { sendTexts, textsOn } from '#server/testing/texts.ts'
import { getPushKey, turnOffAlerts, turnOnAlerts } from '../../calls/push.ts'
import { after, called, lockDown, notesOf } from '../reach.fixture.ts'
import { isPushEndpoint } from './push-hosts.ts'
import { sendDueAlerts } from './send-alerts.service.ts'
import { openVapid } from './vapid.ts'

let nth = 0
const newEndpoint = () => `https://fcm.googleapis.com/fcm/send/${process.pid}-${nth++}`

/** Sends what is due; the push service answers with this status. Returns what it was asked. */
async function sendAlerts({ db, app }: TestServer, status = 201): Promise<OutgoingRequest[]> {
  const asked: OutgoingRequest[] = []
  await sendDueAlerts({
    system: db,
    vapid: openVapid(app.secrets.webPush, 'mailto:push@evac.test'),
    callOut: async (request) => {
      asked.push(request)
      return { status, headers: {}, body: Buffer.alloc(0) }
    },
    onTrouble: () => undefined,
  })
  return asked
}
const phonesOf = ({ db }: TestServer, { personUid }: Pick<Warden, 'personUid'>) =>
  db.selectFrom('pushPhone').selectAll().where('personUid', '=', personUid).execute()

/** Ann has turned on alerts before the event calls her. */
async function withAlerts(server: TestServer) {
  const endpoint = newEndpoint()
  const c = await called(server, undefined, {
    before: async ({ ann }) => (await server.as(ann))(turnOnAlerts, { body: { endpoint } }, withKey()),
  })
  return { ...c, endpoint }
}

test('LADDER-22 LADDER-23 an alert has no content, a token for its push service, and a life to the last step', async ({
  server,
}) => {
  const c = await withAlerts(server)
  const asAnn = await server.as(c.ann)
  const { key } = await asAnn(getPushKey, {})
  await takeDueSteps(server)

  const [asked, ...more] = await sendAlerts(server)

  expect(more).toEqual([])
  expect(asked).toMatchObject({ url: c.endpoint, method: 'POST', headers: { urgency: 'high', topic: 'report_in' } })
  expect(asked?.body).toBeUndefined()
  expect(Number(asked?.headers?.ttl)).toBeGreaterThan(200)
  expect(Number(asked?.headers?.ttl)).toBeLessThanOrEqual(240)
  const [, token, shown] = /^vapid t=(\S+), k=(\S+)$/.exec(asked?.headers?.authorization ?? '') ?? []
  expect(shown).toBe(key)
  const point = Buffer.from(key as string, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const { payload } = await jwtVerify(
    token as string,
    createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x as string, y: y as string }, format: 'jwk' }),
  )
  expect(payload).toMatchObject({ aud: 'https://fcm.googleapis.com', sub: 'mailto:push@evac.test' })
  expect(await sendAlerts(server)).toEqual([])
})

test('LADDER-21 a phone that the push service no longer knows is forgotten, and the steps go on', async ({
  server,
}) => {
  for (const status of [404, 410]) {
    const c = await withAlerts(server)
    await takeDueSteps(server)
    await sendAlerts(server, status)
    expect(await phonesOf(server, c.ann)).toEqual([])

    await after(server, c, 61)
    await sendTexts(server)

    expect(await notesOf(server, c.ann)).toContain('push: No alerts on a phone.')
    expect(await notesOf(server, c.ann)).toContain('call: Calls are not set up.')
    expect(await textsOn(server, c.ann.mobile)).toHaveLength(1)
  }
})

test('LADDER-21 who turns alerts on last has them on that phone, and turning off ends them', async ({ server }) => {
  const [org, other] = [await server.given.organisation(), await server.given.organisation()]
  const [ann, eve] = [await server.given.warden(org), await server.given.warden(other)]
  const [asAnn, asEve] = [await server.as(ann), await server.as(eve)]
  const body = { endpoint: newEndpoint() }

  await Promise.all(Array.from({ length: 4 }, () => asAnn(turnOnAlerts, { body }, withKey())))
  expect(await phonesOf(server, ann)).toHaveLength(1)
  await asEve(turnOnAlerts, { body }, withKey())
  expect(await phonesOf(server, ann)).toEqual([])
  expect(await phonesOf(server, eve)).toHaveLength(1)
  await asEve(turnOffAlerts, { body }, withKey())

  expect(await phonesOf(server, eve)).toEqual([])
})

test('LADDER-21 who was deactivated gets no alert', async ({ server }) => {
  const c = await withAlerts(server)
  await server.db.updateTable('person').set({ active: false }).where('uid', '=', c.ann.personUid).execute()
  await takeDueSteps(server)

  expect(await sendAlerts(server)).toEqual([])
})

test('LADDER-03 who has answered before it is sent gets no alert, and many workers send each once', async ({
  server,
}) => {
  const [c, answered] = [await withAlerts(server), await withAlerts(server)]
  await takeDueSteps(server)
  await server.onDuty(answered.ann)
  await takeDueSteps(server)

  const asked = (await Promise.all(Array.from({ length: 6 }, () => sendAlerts(server)))).flat()

  expect(asked.map(({ url }) => url)).toEqual([c.endpoint])
})

test('RESP-05 an alert that waits when a lockdown begins is not sent', async ({ server }) => {
  const [c, elsewhere] = [await withAlerts(server), await withAlerts(server)]
  await takeDueSteps(server)
  await lockDown(c)

  const asked = await sendAlerts(server)

  expect(asked.map(({ url }) => url)).toEqual([elsewhere.endpoint])
})

test('LADDER-23 addresses lead to push services alone', async ({ server }) => {
  const asWarden = await server.as(await server.given.warden(await server.given.organisation()))
  const turn = (endpoint: string) => asWarden(turnOnAlerts, { body: { endpoint } }, withKey())

  expect(await refused(turn('https://10.0.0.1/x'), turn('https://fcm.googleapis.com.evil.test/x'))).toEqual([
    'invalid_request',
    'invalid_request',
  ])
  const known = ['https://web.push.apple.com/a', 'https://wns2-by3p.notify.windows.com/w?token=1']
  expect(known.every((endpoint) => isPushEndpoint(endpoint, []))).toBe(true)
  const strange = [
    'http://fcm.googleapis.com/x',
    'https://fcm.googleapis.com:8443/x',
    'https://notify.windows.com/x',
    'x',
  ]
  expect(strange.some((endpoint) => isPushEndpoint(endpoint, []))).toBe(false)
  expect(isPushEndpoint('https://push.example/x', ['push.example'])).toBe(true)
})

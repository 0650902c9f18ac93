import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { startTestServer, testConfig } from '#server/testing/test-server.ts'
import { publicUrl, startServerWith, startTwilio } from '../gateways/twilio.fixture.ts'
import type { InboundText } from './inbound.queries.ts'
import { keepInboundText, passOnReplies } from './inbound.service.ts'
import { isRightlySigned } from './standard-webhooks.ts'

const key = Buffer.from('a key for tests only, long enough')
const smsInboundSecret = `whsec_${key.toString('base64')}`
const start = () => startTestServer({ config: { ...testConfig, smsInboundSecret } })
type Server = Awaited<ReturnType<typeof start>>
const reply = { from: '61491570156', text: 'safe, at the gate', provider_id: 'm-1' }

interface Over {
  headers?: Record<string, string>
  at?: number
  signedBody?: unknown
}
async function post(server: Server, body: unknown, { headers, at = Date.now(), signedBody = body }: Over = {}) {
  const timestamp = String(Math.floor(at / 1000))
  const digest = createHmac('sha256', key)
    .update(`id-1.${timestamp}.${JSON.stringify(signedBody)}`)
    .digest('base64')
  const { statusCode } = await server.app.inject({
    method: 'POST',
    url: '/api/sms/inbound',
    headers: {
      'content-type': 'application/json',
      'webhook-id': 'id-1',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${digest}`,
      ...headers,
    },
    payload: JSON.stringify(body),
  })
  return statusCode
}

/** Passes on what has come, and answers it. */
async function received({ db }: Pick<Server, 'db'>, receive: (reply: InboundText) => unknown = () => undefined) {
  const replies: InboundText[] = []
  const troubles: unknown[] = []
  await passOnReplies(
    db,
    async (reply) => {
      replies.push(reply)
      await receive(reply)
    },
    (error) => troubles.push(error),
  )
  return { replies, troubles }
}

test('AMB-129 a signed reply is kept, wakes a worker and is passed on once', async () => {
  await using server = await start()

  expect(await post(server, reply)).toBe(200)

  const { rows } = await server.database.owner.pg.query('select data from pgboss.job')
  expect(rows).toEqual([{ data: { inbound: 'm-1' } }])
  expect((await received(server)).replies).toMatchObject([
    { gateway: 'webhook', providerId: 'm-1', fromMobile: '61491570156', body: 'safe, at the gate' },
  ])
  expect((await received(server)).replies).toHaveLength(0)
})

test('AMB-129 the same reply again, ten at once, is one', async () => {
  await using server = await start()

  const answers = await Promise.all(Array.from({ length: 10 }, () => post(server, reply)))

  expect(answers).toEqual(Array.from({ length: 10 }, () => 200))
  expect((await received(server)).replies).toHaveLength(1)
  await post(server, { ...reply, text: 'danger' })
  expect((await received(server)).replies).toHaveLength(0)
})

test('T19 without the right signature a reply is 403, and nothing is kept', async () => {
  await using server = await start()
  const wrong = {
    unsigned: await post(server, reply, { headers: { 'webhook-signature': '' } }),
    garbage: await post(server, reply, { headers: { 'webhook-signature': 'v1,bm90IGl0' } }),
    'another version': await post(server, reply, { headers: { 'webhook-signature': 'v2,bm90IGl0' } }),
    'another id': await post(server, reply, { headers: { 'webhook-id': 'id-2' } }),
    'another time': await post(server, reply, {
      headers: { 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 9) },
    }),
    'another body': await post(server, reply, { signedBody: { ...reply, text: 'danger' } }),
    'too old': await post(server, reply, { at: Date.now() - 301_000 }),
    'from the future': await post(server, reply, { at: Date.now() + 301_000 }),
    'a body that says nothing': await post(server, {}, { headers: { 'webhook-signature': 'v1,x' } }),
  }

  expect(Object.entries(wrong).filter(([, status]) => status !== 403)).toEqual([])
  expect(await server.db.selectFrom('inboundText').selectAll().execute()).toEqual([])
})

test('T19 while no secret is set no one may post replies', async () => {
  await using server = await startTestServer()

  expect(await post(server, reply)).toBe(403)
})

test('T19 a signed body is still checked', async () => {
  await using server = await start()

  expect(await post(server, { ...reply, from: '' })).toBe(422)
  expect(await post(server, { ...reply, extra: 1 })).toBe(422)
  expect(await post(server, { ...reply, sent_at: 'today' })).toBe(422)
})

test('T19 the signature is that of Standard Webhooks: its published example holds', () => {
  const example = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: '1614265330',
    body: '{"test": 2432232314}',
    signature: 'v1,bm90IGl0 v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  }
  const at = new Date(1614265330_000)
  expect(isRightlySigned('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', example, at)).toBe(true)
  expect(isRightlySigned('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSx', example, at)).toBe(false)
})

test('AMB-129 a reply that could not be passed on comes again, and holds up no other', async () => {
  await using server = await start()
  await post(server, reply)
  await post(server, { ...reply, from: '61491570157', provider_id: 'm-2' })

  const first = await received(server, ({ providerId }) => {
    if (providerId === 'm-1') throw new Error('the database is away')
  })
  expect([first.replies.map(({ providerId }) => providerId), first.troubles.length]).toEqual([['m-1', 'm-2'], 1])

  expect((await received(server)).replies).toHaveLength(0)
  await server.db.updateTable('inboundText').set({ nextTryAt: new Date() }).execute()
  expect((await received(server)).replies.map(({ providerId }) => providerId)).toEqual(['m-1'])
})

test('AMB-129 MSG-36 what a phone said later waits for what it said before, so that its last word is the last', async () => {
  await using server = await start()
  for (const nth of [1, 2]) await post(server, { ...reply, provider_id: `m-${nth}` })
  const failing = ({ providerId }: InboundText) => {
    if (providerId === 'm-1') throw new Error('the database is away')
  }
  const taken = async (receive?: typeof failing) => {
    await server.db.updateTable('inboundText').set({ nextTryAt: new Date() }).execute()
    return (await received(server, receive)).replies.map(({ providerId }) => providerId)
  }

  expect([await taken(failing), await taken(failing)]).toEqual([['m-1'], ['m-1']])
  expect(await taken()).toEqual(['m-1', 'm-2'])

  for (const nth of [1, 2]) await post(server, { ...reply, text: 'I am out', provider_id: `n-${nth}` })
  const always = () => {
    throw new Error('it cannot be read')
  }
  expect([await taken(always), await taken(always)]).toEqual([['n-1'], ['n-1']])
  expect(await taken(always)).toEqual(['n-1', 'n-2']) // the third time it holds up nothing more
})

test('AMB-129 eight workers at once pass on each of 120 replies once', async () => {
  await using server = await start()
  await Promise.all(Array.from({ length: 120 }, (_, i) => post(server, { ...reply, provider_id: `m-${i}` })))

  const all = (await Promise.all(Array.from({ length: 8 }, () => received(server)))).flatMap(({ replies }) => replies)

  expect(new Set(all.map(({ providerId }) => providerId)).size).toBe(120)
  expect(all).toHaveLength(120)
})

test('AMB-129 what is texted to our Twilio number is a reply, answered with nothing to send', async () => {
  await using twilio = await startTwilio()
  await using server = await startServerWith(twilio)
  const url = `${publicUrl}/api/sms/twilio/inbound`
  const form = {
    MessageSid: 'SM42',
    From: '+61491570156',
    To: '+61491570006',
    Body: 'J’ai peur 🚨\u0000',
    NumMedia: '0',
  }

  const answers = [await server.post(url, form), await server.post(url, form)]

  expect(answers).toEqual(Array.from({ length: 2 }, () => ({ status: 200, body: '<Response/>', type: 'text/xml' })))
  expect((await received(server)).replies).toMatchObject([
    { gateway: 'twilio', providerId: 'SM42', fromMobile: '61491570156', body: 'J’ai peur 🚨' },
  ])
})

/** One of `of` pieces of a long text, as a network brings it. */
const keepPiece = (
  { app }: Server,
  from: string,
  joint: { reference: number; of: number; nth: number },
  body: string,
) => keepInboundText(app, { gateway: 'smpp', providerId: `${from}/${joint.reference}`, from, body, joint })

test('AMB-129 the pieces of two phones, and of two texts of one phone, are never joined', async () => {
  await using server = await start()
  const [one, other] = ['61491570156', '61491570157']
  await keepPiece(server, one, { reference: 7, of: 2, nth: 1 }, 'We are ')
  await keepPiece(server, other, { reference: 7, of: 2, nth: 1 }, 'I am ')
  await keepPiece(server, one, { reference: 8, of: 2, nth: 1 }, 'Not yet ')
  await keepPiece(server, one, { reference: 8, of: 3, nth: 2 }, 'by the lift')
  expect((await received(server)).replies).toEqual([])

  await keepPiece(server, one, { reference: 7, of: 2, nth: 2 }, 'safe')
  await keepPiece(server, other, { reference: 7, of: 2, nth: 2 }, 'in danger')

  expect((await received(server)).replies).toMatchObject([
    { fromMobile: one, body: 'We are safe' },
    { fromMobile: other, body: 'I am in danger' },
  ])
})

test('AMB-129 both pieces of a text at once, from thirty phones, are joined all the same', async () => {
  await using server = await start()
  const phones = Array.from({ length: 30 }, (_, i) => `614915702${10 + i}`)

  await Promise.all(
    phones.flatMap((from) => [
      keepPiece(server, from, { reference: 7, of: 2, nth: 1 }, 'We are '),
      keepPiece(server, from, { reference: 7, of: 2, nth: 2 }, 'safe'),
    ]),
  )

  const { replies } = await received(server)
  expect(replies.map(({ fromMobile }) => fromMobile).toSorted()).toEqual(phones)
  expect(new Set(replies.map(({ body }) => body))).toEqual(new Set(['We are safe']))
})

test('AMB-129 a long text of which a piece is lost is passed on after a minute as far as it came, and once', async () => {
  await using server = await start()
  const [from, other] = ['61491570156', '61491570157']
  await keepPiece(server, from, { reference: 7, of: 3, nth: 3 }, 'third floor')
  await keepPiece(server, from, { reference: 7, of: 3, nth: 1 }, 'We are trapped on ')
  await keepPiece(server, from, { reference: 8, of: 2, nth: 1 }, 'Safe at the gate')
  await keepPiece(server, other, { reference: 7, of: 2, nth: 2 }, 'safe')
  const arrivedAgo = (seconds: number) =>
    server.db
      .updateTable('inboundPiece')
      .set({ receivedAt: new Date(Date.now() - seconds * 1000) })
      .execute()

  await arrivedAgo(50)
  expect((await received(server)).replies).toEqual([])
  await arrivedAgo(61)
  const { replies } = await received(server)
  expect(replies.map(({ fromMobile, body }) => [fromMobile, body]).toSorted()).toEqual([
    [from, 'Safe at the gate … '],
    [from, 'We are trapped on  … third floor'],
    [other, ' … safe'],
  ])
  expect((await received(server)).replies).toEqual([])
})

test('AMB-129 replies are passed on in the order in which they came: the last word counts', async () => {
  await using server = await start()
  const words = ['safe', 'no', 'danger']
  for (const [i, text] of words.entries()) {
    await post(server, { ...reply, text, provider_id: `m-${i}` })
    const receivedAt = new Date(Date.now() - (words.length - i) * 1000)
    await server.db.updateTable('inboundText').set({ receivedAt }).where('providerId', '=', `m-${i}`).execute()
  }
  // the row that came first is the one that was written last
  await server.db.updateTable('inboundText').set({ attempts: 1 }).where('providerId', '=', 'm-0').execute()

  expect((await received(server)).replies.map(({ body }) => body)).toEqual(words)
})

import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../../config.ts'
import { letTimePass, rows, states, waitingTexts } from '../sms.fixture.ts'
import { localhost } from './localhost.fixture.ts'
import { type Centre, startCentre, startServerOn } from './smpp.fixture.ts'

const throttled = 0x58
const text = (body: string) => ({
  reference: 'a/b',
  to: '61491570156',
  body,
  validUntil: new Date(Date.now() + 900_000),
})

test('EVENT-05 a text goes out by SMPP with sender, validity and the wish for a receipt', async () => {
  await using centre = await startCentre()
  await using server = await startServerOn(centre, { systemType: 'VMS' })
  await waitingTexts(server, 1)

  await server.send()

  expect(centre.binds).toMatchObject([{ system_id: 'evac', system_type: 'VMS', interface_version: 0x34 }])
  expect(centre.taken).toMatchObject([{ id: 'm1', text: 'Evacuate now.', coding: 0 }])
  const [{ pdu } = {} as never] = centre.taken
  expect(pdu).toMatchObject({
    source_addr: '61491570006',
    source_addr_ton: 1,
    dest_addr_ton: 1,
    registered_delivery: 1,
  })
  expect(Math.abs(Number(pdu?.validity_period) - Date.now() - 900_000)).toBeLessThan(20_000)
  expect(await rows(server)).toMatchObject([{ status: 'handed_over', gateway: 'smpp', providerId: 'm1' }])
})

test('F11 a receipt decides the state, in words where the text was lost', async () => {
  await using centre = await startCentre()
  await using server = await startServerOn(centre)
  await waitingTexts(server, 5)
  await server.send()

  await Promise.all([
    centre.receipt('m1', 'DELIVRD'),
    centre.receipt('m2', 'UNDELIV', '027'),
    centre.receipt('m3', 'ACCEPTD'),
    centre.deliver({ esm_class: 4, source_addr: '1', receipted_message_id: 'm4', message_state: 8 }),
    centre.receipt('m5', 'UNKNOWN'),
  ])

  const told = (await rows(server)).map(({ providerId, status, reason }) => [providerId, status, reason])
  expect(told.sort()).toEqual([
    ['m1', 'delivered', null],
    ['m2', 'failed', 'The network could not deliver the text. (027)'],
    ['m3', 'handed_over', null],
    ['m4', 'failed', 'The network turned the text down.'],
    ['m5', 'handed_over', null],
  ])
})

test('F11 doubled, contradicting and unknown receipts are confirmed and change nothing', async () => {
  await using centre = await startCentre()
  await using server = await startServerOn(centre)
  await waitingTexts(server, 2)
  await server.send()
  await Promise.all([centre.receipt('m1', 'DELIVRD'), centre.receipt('m2', 'EXPIRED')])
  const before = await rows(server)

  const again = ['m1', 'm2', 'nobody'].flatMap((id) =>
    ['DELIVRD', 'UNDELIV', 'DELIVRD'].map((stat) => centre.receipt(id, stat)),
  )
  expect(new Set(await Promise.all(again))).toEqual(new Set([0]))

  expect(await rows(server)).toEqual(before)
})

test('F11 a receipt that comes before the text is noted as taken still finds it', async () => {
  let early: Promise<number> | undefined
  await using centre: Centre = await startCentre((nth) => {
    early = centre.receipt(`m${nth}`, 'DELIVRD')
    return undefined
  })
  await using server = await startServerOn(centre)
  await waitingTexts(server, 1)
  const parts = () => server.db.selectFrom('smsPart').selectAll().execute()

  await server.send()
  expect(await early).toBe(0)

  expect(await parts()).toMatchObject([{ providerId: 'm1', state: 'delivered' }])
  expect(await states(server)).toEqual({ delivered: 1 })
})

test('F11 a receipt that could not be written is not confirmed, so that it comes again', async () => {
  await using centre = await startCentre()
  await using server = await startServerOn(centre)
  await waitingTexts(server, 1)
  await server.send()
  const { pg } = server.database.owner

  await pg.query('alter table sms_part rename to away')
  expect(await centre.receipt('m1', 'DELIVRD')).toBe(0x64)
  await pg.query('alter table away rename to sms_part')
  expect(await centre.receipt('m1', 'DELIVRD')).toBe(0)

  expect(await states(server)).toEqual({ delivered: 1 })
})

test('T18 a long text travels in pieces under one header, and is delivered when all have arrived', async () => {
  await using centre = await startCentre()
  await using server = await startServerOn(centre)
  await waitingTexts(server, 2)
  const body = `${'Leave by the stairs. '.repeat(10)}🚨`
  await server.db.updateTable('sms').set({ body }).execute()
  await server.send()

  const pieces = Map.groupBy(centre.taken, ({ to }) => to)
  for (const [, list] of pieces) {
    expect(list.map(({ text }) => text).join('')).toBe(body)
    const headers = list.map(({ pdu }) => [...(pdu.short_message?.udh?.[0] ?? [])])
    expect(headers).toEqual(list.map((_, i) => [0, 3, headers[0]?.[2], list.length, i + 1]))
    expect(list.map(({ coding }) => coding)).toEqual([8, 8, 8, 8])
  }
  const [first, second] = [...pieces.values()].map((list) => list.map(({ id }) => id))

  for (const id of first?.slice(0, 3) ?? []) await centre.receipt(id, 'DELIVRD')
  expect(await states(server)).toEqual({ handed_over: 2 })
  await centre.receipt(first?.[3] as string, 'DELIVRD')
  expect(await states(server)).toEqual({ delivered: 1, handed_over: 1 })

  await centre.receipt(second?.[0] as string, 'DELIVRD')
  await centre.receipt(second?.[2] as string, 'UNDELIV')
  expect(await states(server)).toEqual({ delivered: 1, failed: 1 })
})

test('F11 of a text in pieces, too, the first word about each piece stands', async () => {
  await using centre = await startCentre()
  await using server = await startServerOn(centre)
  await waitingTexts(server, 1)
  await server.db
    .updateTable('sms')
    .set({ body: 'Leave now. '.repeat(20) })
    .execute()
  await server.send()

  for (const [id, stat] of [
    ['m1', 'DELIVRD'],
    ['m1', 'UNDELIV'],
    ['m2', 'DELIVRD'],
  ] as const)
    expect(await centre.receipt(id, stat)).toBe(0)

  expect(await states(server)).toEqual({ delivered: 1 })
})

test('F11 the last two pieces at once: the text is delivered all the same', async () => {
  await using centre = await startCentre()
  await using server = await startServerOn(centre)
  await waitingTexts(server, 30)
  await server.db
    .updateTable('sms')
    .set({ body: 'Leave now. '.repeat(20) })
    .execute()
  await server.send()

  await Promise.all(centre.taken.map(({ id }) => centre.receipt(id, 'DELIVRD')))

  expect(await states(server)).toEqual({ delivered: 30 })
})

test('T18 the alphabet of the networks is sent as such, with its extension; anything else as UCS-2', async () => {
  await using centre = await startCentre()
  await using server = await startServerOn(centre)

  for (const body of ['Gate {2} costs €5 @ Ørsted', 'Ворота 2', '😀 ok']) await server.gateway.send(text(body))

  expect(centre.taken.map(({ text, coding }) => [text, coding])).toEqual([
    ['Gate {2} costs €5 @ Ørsted', 0],
    ['Ворота 2', 8],
    ['😀 ok', 8],
  ])
})

test('F9 a provider that is busy gets the text again after a pause; nothing is lost or doubled', async () => {
  await using centre = await startCentre((nth) => (nth % 3 === 0 ? throttled : undefined))
  await using server = await startServerOn(centre)
  await waitingTexts(server, 12)

  await server.send()

  expect(new Set(centre.taken.map(({ to }) => to)).size).toBe(12)
  expect(centre.taken).toHaveLength(12)
  expect(await states(server)).toEqual({ handed_over: 12 })
  expect(server.troubles).toEqual([])
})

test('F9 never more texts without an answer than the window allows', async () => {
  await using centre = await startCentre()
  centre.state.answerMs = 50
  await using server = await startServerOn(centre, { window: 3 })
  await waitingTexts(server, 40)

  await server.send()

  expect(centre.taken).toHaveLength(40)
  expect(centre.busiest()).toBe(3)
})

test('F9 and never more a second than agreed', async () => {
  await using centre = await startCentre()
  await using server = await startServerOn(centre, { perSecond: 50 })
  await waitingTexts(server, 40)
  const start = performance.now()

  await server.send()

  expect(centre.taken).toHaveLength(40)
  expect(performance.now() - start).toBeGreaterThan(700)
})

test('F9 a number that cannot be has failed; a sender that cannot be has failed, too, where there is no other way', async () => {
  await using centre = await startCentre((nth) => [0x0b, 0x0a][nth - 1])
  await using server = await startServerOn(centre)
  await waitingTexts(server, 2)

  await server.send()

  const reasons = (await rows(server)).map(({ status, reason }) => `${status}: ${reason}`).sort()
  expect(reasons).toEqual([
    'failed: The mobile number is not valid.',
    'failed: The sender is not valid at the provider.',
  ])
})

test('F4 after the line was cut the texts in flight wait, the connection comes back, and all go out', async () => {
  await using centre = await startCentre((nth) => (nth === 5 ? 'cut' : undefined))
  await using server = await startServerOn(centre)
  await waitingTexts(server, 40)

  await server.send()
  await expect.poll(() => centre.bound()).toBe(1)
  await letTimePass(server)
  await server.send()

  expect(await states(server)).toEqual({ handed_over: 40 })
  expect(centre.binds.length).toBe(2)
  const copies = [...Map.groupBy(centre.taken, ({ to }) => to).values()].map(({ length }) => length)
  expect(copies).toHaveLength(40)
  expect(copies.filter((n) => n > 1).length).toBeLessThanOrEqual(10)
})

test('F4 a line that is dead without having been cut is given up and opened again', async () => {
  await using centre = await startCentre()
  await using server = await startServerOn(centre, { times: { enquire: 30, answer: 30 } })
  await expect.poll(() => centre.bound()).toBe(1)

  centre.state.answersEnquiries = false
  await expect.poll(() => centre.binds.length).toBeGreaterThan(1)

  expect(String(server.troubles[0])).toContain('the SMPP provider is silent')
})

test('F9 without a connection a text is turned away soon, so that another gateway can have it', async () => {
  await using centre = await startCentre()
  await centre.stop()
  await using server = await startServerOn(centre, { times: { grace: 200 } })
  const start = performance.now()

  await expect(server.gateway.send(text('Evacuate now.'))).rejects.toThrow('no SMS provider')
  expect(performance.now() - start).toBeLessThan(3_000)

  await centre.restart()
  await expect.poll(() => centre.bound()).toBe(1)
  expect(await server.gateway.send(text('Evacuate now.'))).toMatchObject({ providerIds: ['m1'] })
})

test('F9 a wrong password is said, and tried again with patience', async () => {
  await using centre = await startCentre()
  await using server = await startServerOn(centre, { password: 'wrong' })
  await expect.poll(() => centre.binds.length).toBeGreaterThan(2)

  expect(centre.bound()).toBe(0)
  expect(String(server.troubles[0])).toContain('status 0xe')
})

test('T19 over TLS the provider must be who it says it is', async () => {
  await using centre = await startCentre(undefined, localhost)
  await using trusting = await startServerOn(centre, { tls: true, ca: localhost.cert })
  await using wary = await startServerOn(centre, { tls: true, times: { grace: 300 } })

  expect(await trusting.gateway.send(text('Evacuate now.'))).toMatchObject({ gateway: 'smpp' })
  await expect(wary.gateway.send(text('Evacuate now.'))).rejects.toThrow('no SMS provider')

  expect(String(wary.troubles[0])).toContain('self-signed certificate')
  expect(centre.taken).toHaveLength(1)
})

test('AMB-129 what somebody texts us is kept before it is confirmed, once however often it comes', async () => {
  await using centre = await startCentre()
  await using server = await startServerOn(centre)
  await expect.poll(() => centre.bound()).toBe(1)
  const fields = { source_addr: '61491570156', destination_addr: '61491570006', short_message: { message: 'safe €' } }

  expect(await Promise.all([centre.deliver(fields), centre.deliver(fields)])).toEqual([0, 0])

  expect(await server.db.selectFrom('inboundText').selectAll().execute()).toMatchObject([
    { gateway: 'smpp', fromMobile: '61491570156', body: 'safe €', passedOnAt: null },
  ])
})

test('AMB-129 a long reply is joined, whatever the order of its pieces', async () => {
  await using centre = await startCentre()
  await using server = await startServerOn(centre, { window: 1 })
  await expect.poll(() => centre.bound()).toBe(1)
  const piece = (nth: number, message: string) => ({
    source_addr: '61491570156',
    data_coding: 8,
    esm_class: 0x40,
    short_message: { message, udh: Buffer.from([5, 0, 3, 77, 3, nth]) },
  })

  await Promise.all([piece(3, 'and 🚨'), piece(1, 'I am at '), piece(2, 'the gate ')].map(centre.deliver))
  expect(await server.db.selectFrom('inboundText').select('body').execute()).toEqual([
    { body: 'I am at the gate and 🚨' },
  ])
  expect(await server.db.selectFrom('inboundPiece').selectAll().execute()).toEqual([])
})

const smppEnv = { SMS_GATEWAY: 'smpp', SMPP_URL: 'smpp://evac:p%40ss@smsc.example', SMPP_FROM: 'Evac' }
test.for([
  [{ SMPP_URL: '' }, 'SMPP_URL is missing'],
  [{ SMPP_URL: 'https://evac:x@smsc.example' }, 'SMPP_URL is no such address'],
  [{ SMPP_URL: 'smpp://smsc.example' }, 'SMPP_URL is no such address'],
  [{ SMPP_FROM: '' }, 'SMPP_FROM is missing'],
  [{ SMPP_WINDOW: 'wide' }, "SMPP_WINDOW is 'wide'"],
] as const)('a setting of SMPP that cannot work is said in a sentence: %o', ([over, message]) => {
  expect(() => readConfig({ ...smppEnv, ...over })).toThrow(ConfigError)
  expect(() => readConfig({ ...smppEnv, ...over })).toThrow(message)
  expect(readConfig(smppEnv).smpp).toMatchObject({ host: 'smsc.example', port: 2775, tls: false, password: 'p@ss' })
  expect(readConfig({ ...smppEnv, SMPP_URL: 'smpps://a:b@c' }).smpp).toMatchObject({ port: 3550, tls: true })
})

import { expect, test } from 'vitest'
import { readConfig } from '#server/platform/config/config.ts'
import { ConfigError } from '#server/platform/config/read-setting.ts'
import { rows, states, waitingTexts } from '../sms.fixture.ts'
import { startCentre, startServerOn, textOf } from './smpp.fixture.ts'
import { createSmpp } from './smpp.gateway.ts'

const throttled = 0x58

test('EVENT-05 a text goes out by SMPP with sender, validity and the request for a receipt', async () => {
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

test('T18 the alphabet of the networks is sent as such, with its extension; anything else as UCS-2', async () => {
  await using centre = await startCentre()
  await using server = await startServerOn(centre)

  for (const body of ['Gate {2} costs €5 @ Ørsted', 'Ворота 2', '😀 ok']) await server.gateway.send(textOf(body))

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

test('F9 what no one waits for any more does not leave, and takes no place in the window', async () => {
  await using centre = await startCentre((nth) => (nth === 1 ? 'silent' : undefined))
  const ignore = async () => undefined
  const gateway = createSmpp(
    { ...centre.settings, window: 1 },
    { onReceipts: ignore, onText: ignore, onTrouble: ignore },
  )
  await using _ = { [Symbol.asyncDispose]: () => gateway.close() }
  const [first, second] = [new AbortController(), new AbortController()]
  const attempts = [gateway.send(textOf('Unanswered'), first.signal)]
  await expect.poll(centre.asked).toBe(1)
  attempts.push(gateway.send(textOf('Behind it'), second.signal))

  second.abort()
  first.abort()

  const given = await Promise.allSettled(attempts)
  expect(given.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await gateway.send(textOf('Evacuate now.'))).toMatchObject({ providerIds: ['m1'] })
  expect(centre.taken.map(({ text }) => text)).toEqual(['Evacuate now.'])
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

test('AMB-129 what someone texts us is kept before it is confirmed, once however often it comes', async () => {
  await using centre = await startCentre()
  await using server = await startServerOn(centre)
  await expect.poll(() => centre.bound()).toBe(1)
  const fields = { source_addr: '61491570156', destination_addr: '61491570006', short_message: { message: 'safe €' } }

  expect(await Promise.all([centre.deliver(fields), centre.deliver(fields)])).toEqual([0, 0])

  expect(await server.db.selectFrom('inboundText').selectAll().execute()).toMatchObject([
    { gateway: 'smpp', fromMobile: '61491570156', body: 'safe €', passedOnAt: null },
  ])
})

test('AMB-129 MSG-36 who answers 2, then 1, then 2 again has said so: only what comes twice in a row is a repetition', async () => {
  await using centre = await startCentre()
  await using server = await startServerOn(centre)
  await expect.poll(() => centre.bound()).toBe(1)
  const say = (message: string, from = '61491570156') =>
    centre.deliver({ source_addr: from, destination_addr: '61491570006', short_message: { message } })
  const kept = async () =>
    (await server.db.selectFrom('inboundText').select('body').orderBy('receivedAt').execute()).map(({ body }) => body)

  for (const words of ['2', '2', '1', '1', '2']) await say(words)
  expect(await kept()).toEqual(['2', '1', '2'])

  await say('2', '61491570157')
  expect(await kept()).toEqual(['2', '1', '2', '2'])
  await server.db
    .updateTable('inboundText')
    .set({ receivedAt: new Date(Date.now() - 121_000) })
    .execute()
  await say('2')
  expect(await kept()).toHaveLength(5)
})

test('AMB-129 what a phone says in quick succession is kept in that order', async () => {
  await using centre = await startCentre()
  await using server = await startServerOn(centre)
  await expect.poll(() => centre.bound()).toBe(1)
  const words = Array.from({ length: 40 }, (_, i) => (i % 2 ? 'safe' : 'in danger'))

  await Promise.all(words.map((message) => centre.deliver({ source_addr: '61491570156', short_message: { message } })))

  const kept = await server.db.selectFrom('inboundText').select('body').orderBy('receivedAt').execute()
  expect(kept.map(({ body }) => body)).toEqual(words)
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

test('AMB-129 a reply that calls itself the first of one piece is a text of its own, each time', async () => {
  await using centre = await startCentre()
  await using server = await startServerOn(centre)
  await expect.poll(() => centre.bound()).toBe(1)
  const only = { source_addr: '61491570156', sar_msg_ref_num: 0, sar_total_segments: 1, sar_segment_seqnum: 1 }

  for (const message of ['2', '1']) await centre.deliver({ ...only, short_message: { message } })

  const kept = await server.db.selectFrom('inboundText').select('body').orderBy('receivedAt').execute()
  expect(kept.map(({ body }) => body)).toEqual(['2', '1'])
})

const smppEnv = { SMS_GATEWAY: 'smpp', SMPP_URL: 'smpp://evac:p%40ss@smsc.example', SMPP_FROM: 'Evac' }
test.for([
  [{ SMPP_URL: '' }, 'SMPP_URL is missing'],
  [{ SMPP_URL: 'https://evac:x@smsc.example' }, 'SMPP_URL is not an SMPP address'],
  [{ SMPP_URL: 'smpp://smsc.example' }, 'SMPP_URL is not an SMPP address'],
  [{ SMPP_FROM: '' }, 'SMPP_FROM is missing'],
  [{ SMPP_WINDOW: 'wide' }, "SMPP_WINDOW is 'wide'"],
] as const)('a setting of SMPP that cannot work is said in a sentence: %o', ([over, message]) => {
  expect(() => readConfig({ ...smppEnv, ...over })).toThrow(ConfigError)
  expect(() => readConfig({ ...smppEnv, ...over })).toThrow(message)
  expect(readConfig(smppEnv).smpp).toMatchObject({ host: 'smsc.example', port: 2775, tls: false, password: 'p@ss' })
  expect(readConfig({ ...smppEnv, SMPP_URL: 'smpps://a:b@c' }).smpp).toMatchObject({ port: 3550, tls: true })
})

test("ANS-12 a sender is read by the provider's type of number, and a national 0 makes none of another country", async () => {
  await using centre = await startCentre()
  await using server = await startServerOn(centre)
  await expect.poll(() => centre.bound()).toBe(1)
  const senders = [
    ['61481559999', 1, 1],
    ['0481559999', 1, 1],
    ['Evac', 5, 0],
    ['19734', 3, 0],
    ['481559', 6, 0],
  ] as const
  for (const [source_addr, source_addr_ton, source_addr_npi] of senders)
    await centre.deliver({
      source_addr,
      source_addr_ton,
      source_addr_npi,
      destination_addr: '61491570006',
      short_message: { message: `from ${source_addr}` },
    })

  const kept = await server.db.selectFrom('inboundText').select(['fromMobile', 'body']).orderBy('receivedAt').execute()
  // no event runs, so no country is known
  expect(kept.map(({ fromMobile }) => fromMobile)).toEqual(senders.map(([from]) => from))
})

test.each([
  ['+61491570006', '61491570006', 1],
  ['0061491570006', '61491570006', 1],
  ['0491570006', '0491570006', 2],
  ['19734', '19734', 3],
  ['Evac', 'Evac', 5],
])('ANS-12 the own sender %s goes out as %s of type %i', async (from, address, ton) => {
  await using centre = await startCentre()
  const ignore = async () => undefined
  const gateway = createSmpp({ ...centre.settings, from }, { onReceipts: ignore, onText: ignore, onTrouble: ignore })
  await using _ = { [Symbol.asyncDispose]: () => gateway.close() }

  await gateway.send(textOf('Evacuate now.'))

  expect(centre.taken[0]?.pdu).toMatchObject({ source_addr: address, source_addr_ton: ton })
})

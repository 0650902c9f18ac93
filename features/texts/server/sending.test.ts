import { expect, test } from 'vitest'
import { loginByMobile } from '#features/sign-in/calls/sign-in.ts'
import { startTestServer, testConfig } from '#server/testing/test-server.ts'
import { sendTexts, textsOn, tokenIn } from '#server/testing/texts.ts'
import { openGateways } from './gateways/gateways.ts'
import { letTimePass, provider, rows, states, waitingTexts } from './sms.fixture.ts'
import { meterTexts } from './sms.metrics.ts'
import { claimTexts } from './sms.queries.ts'
import { GatewaysAway, noGateway, TextRejected } from './sms-gateway.ts'

test('EVENT-05 AMB-093 everyone with a mobile gets the message of the event, once', async () => {
  await using server = await startTestServer()
  await waitingTexts(server, 120)

  await sendTexts(server)
  await sendTexts(server)

  const arrived = await server.db.selectFrom('simulatedText').selectAll().execute()
  expect(arrived).toHaveLength(120)
  expect(new Set(arrived.map(({ body }) => body))).toEqual(new Set(['Evacuate now.']))
  expect(new Set(arrived.map(({ toMobile }) => toMobile)).size).toBe(120)
  expect(await states(server)).toEqual({ delivered: 120 })
  expect((await rows(server))[0]?.providerId).toMatch(/^simulated-/)
})

test('AMB-094 a message that holds the word {link} keeps it; the own link stands at the end', async () => {
  await using server = await startTestServer()
  const org = await server.given.organisation()
  const { mobile } = await server.given.warden(org)
  await server.runningEvent(org, { alertToWarden: 'yes', message: 'Use the {link} bridge.' })

  await sendTexts(server)

  const [text] = await textsOn(server, mobile)
  expect(text).toBe(`Use the {link} bridge. Report in: ${testConfig.appUrl}/login#reportInToken=${tokenIn(text)}`)
})

test('F3 eight workers at once hand over each of 400 texts once', async () => {
  await using server = await startTestServer()
  await waitingTexts(server, 400)
  const { gateway, taken } = provider()

  await Promise.all(Array.from({ length: 8 }, () => sendTexts(server, { gateway })))

  expect(taken).toHaveLength(400)
  expect(new Set(taken.map(({ reference }) => reference)).size).toBe(400)
  expect(await states(server)).toEqual({ handed_over: 400 })
})

test('F3 what a killed worker held is sent by the next one, once its lease has run out', async () => {
  await using server = await startTestServer()
  await waitingTexts(server, 70)
  await claimTexts(server.db, 50)

  const first = provider()
  await sendTexts(server, first)
  expect(first.taken).toHaveLength(20)

  await letTimePass(server)
  const second = provider()
  await sendTexts(server, second)

  expect(second.taken).toHaveLength(50)
  expect(await states(server)).toEqual({ handed_over: 70 })
})

test('F3 while a provider takes its time its worker holds on to the text, and no one else takes it up', async () => {
  await using server = await startTestServer()
  await waitingTexts(server, 1)
  const heldUntil = async () => (await rows(server))[0]?.claimedUntil?.getTime() ?? 0
  const slow = provider(async () => {
    const atFirst = await heldUntil()
    await expect.poll(heldUntil, { timeout: 10_000 }).toBeGreaterThan(atFirst)
  })

  await sendTexts(server, slow)

  expect(slow.taken).toHaveLength(1)
})

test('F3 killed between handing over and noting it: the phone shows the text once all the same', async () => {
  await using server = await startTestServer()
  await waitingTexts(server, 3)
  const claimed = await claimTexts(server.db, 50)
  const simulator = openGateways(server.app, server.config)
  for (const { clientUid, uid, toMobile, body, validUntil } of claimed)
    await simulator.send({ reference: `${clientUid}/${uid}`, to: toMobile, body, validUntil })
  await server.db.updateTable('sms').set({ status: 'queued' }).execute()
  await letTimePass(server)

  await sendTexts(server)

  expect(await server.db.selectFrom('simulatedText').selectAll().execute()).toHaveLength(3)
  expect(await states(server)).toEqual({ delivered: 3 })
})

test('F9 a provider that fails for the moment is asked again; one text holds up no other', async () => {
  await using server = await startTestServer()
  await waitingTexts(server, 4)
  const complaints: unknown[] = []
  const flaky = provider((_, nth) => {
    if (nth === 2) throw new Error('503')
  })

  await sendTexts(server, { ...flaky, onTrouble: (error) => complaints.push(error) })
  expect(await states(server)).toEqual({ handed_over: 3, queued: 1 })
  expect(complaints).toHaveLength(1)
  const waiting = (await rows(server)).find(({ status }) => status === 'queued')
  expect(waiting).toMatchObject({ attempts: 1, reason: 'The provider could not be reached.' })
  expect(waiting?.claimedUntil?.getTime()).toBeGreaterThan(Date.now())

  await sendTexts(server, flaky)
  expect(await states(server)).toEqual({ handed_over: 3, queued: 1 })
  await letTimePass(server)
  await sendTexts(server, flaky)
  expect(await states(server)).toEqual({ handed_over: 4 })
})

test('EVENT-05 the first of a long broadcast are on their way while the rest is being written', async () => {
  await using server = await startTestServer()
  const org = await server.given.organisation()
  await server.given.occupants(org, 2_100)
  await server.runningEvent(org, { broadcastMessage: 'yes' })
  const { pg } = server.database.owner
  await pg.query(`
    create function wait_for_test() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(7); return new; end $$;
    create trigger second_page before update on broadcast for each row
      when (old.after_person_uid <> '00000000-0000-0000-0000-000000000000') execute function wait_for_test()`)
  const holder = await pg.connect()
  await holder.query('select pg_advisory_lock(7)')
  const { gateway, taken } = provider()

  const sending = sendTexts(server, { gateway })
  await expect.poll(() => taken.length, { timeout: 20_000 }).toBe(2_000)

  await holder.query('select pg_advisory_unlock(7)')
  holder.release()
  await sending
  expect(new Set(taken.map(({ reference }) => reference)).size).toBe(2_100)
  expect(taken).toHaveLength(2_100)
}, 60_000)

test('F10 while no one takes texts, those that have not been tried are left as they are', async () => {
  await using server = await startTestServer()
  await waitingTexts(server, 400)
  const down = provider(() => {
    throw new GatewaysAway('no SMS provider takes the text at the moment')
  })

  await sendTexts(server, down)

  const all = await rows(server)
  expect(await states(server)).toEqual({ queued: 400 })
  expect(all.filter(({ attempts }) => attempts === 0)).toHaveLength(200)
})

test('F9 what the provider will never take has failed, with its reason; so has everything while there is none', async () => {
  await using server = await startTestServer()
  await waitingTexts(server, 2)
  const picky = provider((_, nth) => {
    if (nth === 1) throw new TextRejected('The number is not in service.')
  })

  await sendTexts(server, picky)

  const failed = (await rows(server)).find(({ status }) => status === 'failed')
  expect(await states(server)).toEqual({ failed: 1, handed_over: 1 })
  expect(failed?.reason).toBe('The number is not in service.')

  await server.db.updateTable('sms').set({ status: 'queued', claimedUntil: null }).execute()
  await sendTexts(server, { gateway: noGateway })
  expect((await rows(server)).map(({ status, reason }) => `${status} ${reason}`)).toEqual(
    Array.from({ length: 2 }, () => 'failed No SMS provider is set up.'),
  )
})

test('F10 what is soonest too late goes first: a sign-in link overtakes the alerts', async () => {
  await using server = await startTestServer()
  const { org } = await waitingTexts(server, 60)
  const { mobile } = await server.given.warden(org)
  await server.stranger(loginByMobile, { body: { phone: mobile as string } })

  // without the index the order is the statement's own
  await server.database.owner.pg.query('drop index sms_due')
  const [first] = await claimTexts(server.db, 1)

  expect(first?.toMobile).toBe(mobile)
})

test('metrics tell the texts of the last day by state', async () => {
  await using server = await startTestServer()
  await waitingTexts(server, 3)
  meterTexts(server.app.metrics, server.db, server.config.smsBudgets, server.app.isDatabaseAway)
  await sendTexts(server)

  const { body } = await server.app.inject({ method: 'GET', url: '/metrics' })

  expect(body).toContain('evac_texts{state="delivered"} 3')
})

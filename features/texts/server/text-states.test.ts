import { expect, test } from 'vitest'
import { createEvent, endEvent } from '#features/events/calls/events.ts'
import { suspend } from '#features/organisation/server/organisations.service.ts'
import { loginByMobile, verifyLoginByMobile } from '#features/sign-in/calls/sign-in.ts'
import { endInput, startInput } from '#server/testing/event-input.ts'
import { startTestServer } from '#server/testing/test-server.ts'
import { sendTexts, textsOn, tokenIn } from '#server/testing/texts.ts'
import { noteReceipts } from './receipts.service.ts'
import { letTimePass, provider, rows, states, waitingTexts } from './sms.fixture.ts'
import { claimTexts } from './sms.queries.ts'

test('F10 a text that could not be sent in time is not sent any more', async () => {
  await using server = await startTestServer()
  await waitingTexts(server, 2)
  const [late] = await rows(server)
  const past = server.db.updateTable('sms').set({ validUntil: new Date(Date.now() - 1) })
  await past.where('uid', '=', late?.uid as string).execute()
  const { gateway, taken } = provider()

  await sendTexts(server, { gateway })

  expect(taken).toHaveLength(1)
  expect(await states(server)).toEqual({ expired: 1, handed_over: 1 })
})

test('EVENT-24 after the end of the event only its conclusion goes out', async () => {
  await using server = await startTestServer()
  const { org, manager } = await waitingTexts(server, 2)
  await manager(endEvent, endInput(org, { broadcastMessage: 'yes' }))
  const { gateway, taken } = provider()

  await sendTexts(server, { gateway })

  expect(new Set(taken.map(({ body }) => body))).toEqual(new Set([`The event at ${org.siteName} has concluded`]))
  expect(await states(server)).toMatchObject({ skipped: 2 })
})

test('EVENT-24 AMB-093 who is in an event again is not told, late, that the last one has concluded', async () => {
  await using server = await startTestServer()
  const { org, manager } = await waitingTexts(server, 2)
  await manager(endEvent, endInput(org, { broadcastMessage: 'yes' }))
  const { gateway, taken } = provider()

  await manager(createEvent, startInput(org, { message: 'Leave again.', broadcastMessage: 'yes' }))
  await sendTexts(server, { gateway })

  expect(new Set(taken.map(({ body }) => body))).toEqual(new Set(['Leave again.']))
  const reasons = (await rows(server)).filter(({ kind }) => kind === 'event_concluded').map(({ reason }) => reason)
  expect(new Set(reasons)).toEqual(new Set(['They are in an event again.']))
})

test('EVENT-24 F3 nor does what a killed worker still held when the event ended', async () => {
  await using server = await startTestServer()
  const { end } = await waitingTexts(server, 2)
  await claimTexts(server.db, 50)
  await end()
  expect(await states(server)).toEqual({ queued: 2 })
  await letTimePass(server)
  const { gateway, taken } = provider()

  await sendTexts(server, { gateway })

  expect(taken).toEqual([])
  expect((await rows(server)).map(({ status, reason }) => `${status} ${reason}`)).toEqual(
    Array.from({ length: 2 }, () => 'skipped The event has ended.'),
  )
})

test('EVENT-61 no one is told to leave a building that has left the event: neither its wardens nor who waits for another try', async () => {
  await using server = await startTestServer()
  const org = await server.given.organisation()
  const inB = { floorUid: org.otherFloorUid }
  const staying = [await server.given.occupant(org), (await server.given.warden(org)).personUid]
  const removed = [await server.given.occupant(org, inB), (await server.given.warden(org, inB)).personUid]
  const buildings = [org.buildingUid, org.otherBuildingUid]
  const { manager } = await server.runningEvent(org, { broadcastMessage: 'yes', buildings })
  const away = provider(() => {
    throw new Error('503')
  })
  await sendTexts(server, { ...away, onTrouble: () => undefined })
  await manager(endEvent, endInput(org, { buildings: [org.otherBuildingUid] }))
  await letTimePass(server)

  await sendTexts(server)

  const told = Map.groupBy(await rows(server), ({ personUid }) => personUid as string)
  for (const uid of staying) expect(told.get(uid)).toMatchObject([{ status: 'delivered' }])
  for (const uid of removed)
    expect(told.get(uid)).toMatchObject([{ status: 'skipped', reason: 'The building has left the event.' }])
})

test('LINK-09 a warden whose building was taken out is not sent a link that leads nowhere', async () => {
  await using server = await startTestServer()
  const org = await server.given.organisation()
  const { personUid } = await server.given.warden(org)
  const buildings = [org.buildingUid, org.otherBuildingUid]
  const { manager } = await server.runningEvent(org, { alertToWarden: 'yes', buildings })
  await manager(endEvent, endInput(org))

  await sendTexts(server)

  const text = (await rows(server)).find((row) => row.personUid === personUid)
  expect(text).toMatchObject({ status: 'skipped', reason: 'The warden is no longer part of the event.' })
})

test('AMB-033 of two requested links only the newer one is texted', async () => {
  await using server = await startTestServer()
  const { mobile } = await server.given.warden(await server.given.organisation())
  const body = { phone: mobile as string }
  await server.stranger(loginByMobile, { body })
  await server.stranger(loginByMobile, { body })

  await sendTexts(server)

  const texts = await textsOn(server, mobile)
  expect(texts).toHaveLength(1)
  const auth = await server.stranger(verifyLoginByMobile, { body: { token: tokenIn(texts[0]) } })
  expect(auth.tokenStatus).toBe('valid')
  expect(await states(server)).toEqual({ skipped: 1, delivered: 1 })
})

test('F11 states only move forward: a receipt, early, late, again or contradicting itself', async () => {
  await using server = await startTestServer()
  const after = {
    queued: 'delivered',
    handed_over: 'delivered',
    unconfirmed: 'delivered',
    delivered: 'delivered',
    failed: 'failed',
    expired: 'expired',
    skipped: 'skipped',
  }
  await waitingTexts(server, Object.keys(after).length)
  const texts = await rows(server)
  const outcome: Record<string, string> = {}

  for (const [i, before] of Object.keys(after).entries()) {
    const { uid, clientUid } = texts[i] as (typeof texts)[0]
    await server.db.updateTable('sms').set({ status: before }).where('uid', '=', uid).execute()
    const reference = `${clientUid}/${uid}`
    const receipt = { gateway: 'p', providerId: `p-${i}`, reference }
    const moved = await noteReceipts(server.db, [{ ...receipt, status: 'delivered' }])
    expect(moved).toBe(['queued', 'handed_over', 'unconfirmed'].includes(before) ? 1 : 0)
    await noteReceipts(server.db, [{ ...receipt, status: 'failed', reason: 'late and wrong' }])
    outcome[before] = (await rows(server)).find((row) => row.uid === uid)?.status as string
  }

  expect(outcome).toEqual(after)
})

test('F11 what the provider reports as taken is not sent again, though its answer to us was lost', async () => {
  await using server = await startTestServer()
  await waitingTexts(server, 1)
  const { gateway, taken } = provider(async ({ reference }) => {
    await noteReceipts(server.db, [{ gateway: 'p', providerId: 'p-1', reference, status: 'handed_over' }])
    throw new Error('the line was cut')
  })

  await sendTexts(server, { gateway, onTrouble: () => undefined })
  await letTimePass(server)
  const again = provider()
  await sendTexts(server, again)

  expect([...taken, ...again.taken]).toEqual([])
  expect(await rows(server)).toMatchObject([{ status: 'handed_over', reason: null }])
})

test('F11 the failure of a gateway that was left for another, or of an earlier try, says nothing', async () => {
  await using server = await startTestServer()
  await waitingTexts(server, 1)
  await sendTexts(server, provider())
  const [text] = await rows(server)

  const left = { reference: `${text?.clientUid}/${text?.uid}`, status: 'failed', reason: 'too late' } as const
  for (const [gateway, providerId] of [
    ['left', 'l-1'],
    ['left', 'p-1'],
    ['p', 'p-0'],
  ] as const)
    await noteReceipts(server.db, [{ ...left, gateway, providerId }])
  expect(await states(server)).toEqual({ handed_over: 1 })

  await noteReceipts(server.db, [{ gateway: 'p', providerId: 'p-1', status: 'failed', reason: 'no such number' }])
  expect(await states(server)).toEqual({ failed: 1 })
})

test('F11 a receipt that is there before we note who took the text counts at once', async () => {
  await using server = await startTestServer()
  await waitingTexts(server, 1)
  await noteReceipts(server.db, [{ gateway: 'p', providerId: 'p-1', status: 'delivered' }])

  await sendTexts(server, provider())

  expect(await states(server)).toEqual({ delivered: 1 })
})

test('F11 a receipt for a text that no one knows changes nothing', async () => {
  await using server = await startTestServer()
  const nobody = '00000000-0000-4000-8000-000000000000'

  for (const reference of [`${nobody}/${nobody}`, 'x', ''])
    expect(await noteReceipts(server.db, [{ gateway: 'p', providerId: 'x', reference, status: 'delivered' }])).toBe(0)
})

test('F3 a report whose process was killed before it took effect does so ten seconds later', async () => {
  await using server = await startTestServer()
  await waitingTexts(server, 2)
  await sendTexts(server, provider())
  await server.db.updateTable('smsPart').set({ state: 'delivered' }).execute()
  const [old] = await rows(server)
  const before = server.db.updateTable('sms').set({ changedAt: new Date(Date.now() - 11_000) })
  await before.where('uid', '=', old?.uid as string).execute()

  await sendTexts(server)

  expect(await states(server)).toEqual({ delivered: 1, handed_over: 1 })
})

test('F4 what the provider took and never spoke of again is unconfirmed after three minutes, until its receipt comes after all', async () => {
  await using server = await startTestServer()
  await waitingTexts(server, 3)
  await sendTexts(server, provider())
  const [old, arrived, recent] = await rows(server)
  const receipt = (text: typeof old) =>
    noteReceipts(server.db, [{ gateway: 'p', providerId: text?.providerId as string, status: 'delivered' }])
  await receipt(arrived)
  const takenAgo = (text: typeof old, seconds: number) =>
    server.db
      .updateTable('sms')
      .set({ changedAt: new Date(Date.now() - seconds * 1000) })
      .where('uid', '=', text?.uid as string)
      .execute()
  for (const text of [old, arrived]) await takenAgo(text, 181)
  await takenAgo(recent, 150)

  await sendTexts(server)

  expect(await states(server)).toEqual({ unconfirmed: 1, delivered: 1, handed_over: 1 })

  await receipt(old)
  expect(await states(server)).toEqual({ delivered: 2, handed_over: 1 })
})

test('texts of a suspended organisation that wait are skipped, and the reason is told', async () => {
  await using server = await startTestServer()
  const { org, eventUid } = await waitingTexts(server, 2)
  const { code } = await server.db
    .selectFrom('client')
    .select('code')
    .where('uid', '=', org.clientUid)
    .executeTakeFirstOrThrow()

  await suspend(server.db, code, { evenInEvent: true })
  await sendTexts(server)

  const texts = await server.db
    .selectFrom('sms')
    .select(['status', 'reason'])
    .where('eventUid', '=', eventUid)
    .execute()
  const skipped = { status: 'skipped', reason: 'The organisation is suspended.' }
  expect(texts).toEqual([skipped, skipped])
})

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { loginByMobile } from '#features/sign-in/calls/sign-in.ts'
import { startTestServer } from '#server/testing/test-server.ts'
import { sendTexts } from '#server/testing/texts.ts'
import { letTimePass, provider, rows, states, waitingTexts } from './sms.fixture.ts'
import { meterTexts } from './sms.metrics.ts'

const budgets = (links: number, alerts: number) => ({ budgets: { sign_in_links: links, links, alerts, calls: 0 } })
const spent = async ({ db }: Awaited<ReturnType<typeof startTestServer>>) =>
  Object.fromEntries(
    (await db.selectFrom('smsSpend').select(['pot', 'segments']).execute()).map((s) => [s.pot, s.segments]),
  )

test('T10 when the pot of alerts is empty the rest is skipped with its reason, and counted', async () => {
  await using server = await startTestServer()
  await waitingTexts(server, 8)
  const metrics = meterTexts(
    server.app.metrics,
    server.db,
    { sign_in_links: 9, links: 9, alerts: 5, calls: 0 },
    server.app.isDatabaseAway,
  )
  const complaints: string[] = []

  await sendTexts(server, { ...budgets(9, 5), metrics, onTrouble: (error) => complaints.push(String(error)) })

  expect(await states(server)).toEqual({ delivered: 5, skipped: 3 })
  const skipped = (await rows(server)).find(({ status }) => status === 'skipped')
  expect(skipped?.reason).toBe('The text budget for today is used up.')
  // two workers may each find it empty
  const told = complaints.map((complaint) =>
    Number(/^Error: a client's budget for alerts is used up: (\d+) texts were not sent$/.exec(complaint)?.[1]),
  )
  expect(told.reduce((sum, texts) => sum + texts, 0)).toBe(3)
  const { body } = await server.app.inject({ method: 'GET', url: '/metrics' })
  expect(body).toContain('evac_texts_over_budget_total{pot="alerts"} 3')
  expect(body).toContain('evac_text_segments_today{pot="alerts"} 5')
  expect(body).toContain('evac_text_budgets_empty{pot="alerts"} 1')
})

test('T10 an empty pot of alerts leaves sign-in links alone, and the other way round', async () => {
  await using server = await startTestServer()
  const { org } = await waitingTexts(server, 2)
  const { mobile } = await server.given.warden(org)
  await server.stranger(loginByMobile, { body: { phone: mobile as string } })

  await sendTexts(server, { ...budgets(9, 0), onTrouble: () => undefined })
  expect(await states(server)).toEqual({ delivered: 1, skipped: 2 })

  await server.db.updateTable('sms').set({ status: 'queued', claimedUntil: null, segments: null }).execute()
  await sendTexts(server, { ...budgets(0, 9), onTrouble: () => undefined })
  expect(await states(server)).toEqual({ delivered: 2, skipped: 1 })
})

test("T10 one client's empty pot is no other's, and a client may have a limit of its own", async () => {
  await using server = await startTestServer()
  const { org } = await waitingTexts(server, 3)
  await waitingTexts(server, 3)
  await server.db.updateTable('client').set({ smsDailyAlerts: 1 }).where('uid', '=', org.clientUid).execute()

  await sendTexts(server, { ...budgets(9, 9), onTrouble: () => undefined })

  const ofClient = (own: boolean) => async () =>
    (await rows(server))
      .filter((row) => (row.clientUid === org.clientUid) === own)
      .map(({ status }) => status)
      .sort()
  expect(await ofClient(true)()).toEqual(['delivered', 'skipped', 'skipped'])
  expect(await ofClient(false)()).toEqual(['delivered', 'delivered', 'delivered'])
})

test('T10 what was spent yesterday is not missing today', async () => {
  await using server = await startTestServer()
  const { org } = await waitingTexts(server, 2)
  const yesterday = sql<string>`(now() at time zone 'UTC')::date - 1`
  await server.db
    .insertInto('smsSpend')
    .values({ clientUid: org.clientUid, day: yesterday, pot: 'alerts', segments: 9 })
    .execute()

  await sendTexts(server, budgets(0, 2))

  expect(await states(server)).toEqual({ delivered: 2 })
})

test('T10 a text is paid by its segments, and once, however often it is tried', async () => {
  await using server = await startTestServer()
  await waitingTexts(server, 2)
  await server.db
    .updateTable('sms')
    .set({ body: 'Leave now. '.repeat(20) })
    .execute()
  const flaky = provider((_, nth) => {
    if (nth < 3) throw new Error('503')
  })

  await sendTexts(server, { ...flaky, onTrouble: () => undefined })
  await letTimePass(server)
  await sendTexts(server, flaky)

  expect(await states(server)).toEqual({ handed_over: 2 })
  expect(await spent(server)).toEqual({ alerts: 4 })
})

test('T10 F10 what is too late, or must not go out any more, costs nothing', async () => {
  await using server = await startTestServer()
  await waitingTexts(server, 3)
  const [late, unwilling] = await rows(server)
  const past = server.db.updateTable('sms').set({ validUntil: new Date(Date.now() - 1) })
  await past.where('uid', '=', late?.uid as string).execute()
  await server.db
    .insertInto('smsRefusal')
    .values({ mobile: unwilling?.toMobile as string })
    .execute()

  await sendTexts(server, budgets(0, 1))

  expect(await states(server)).toEqual({ expired: 1, skipped: 1, delivered: 1 })
  expect(await spent(server)).toEqual({ alerts: 1 })
})

test('T10 eight workers at once never spend more than there is', async () => {
  await using server = await startTestServer()
  await waitingTexts(server, 300)
  const { gateway, taken } = provider()

  await Promise.all(
    Array.from({ length: 8 }, () => sendTexts(server, { gateway, ...budgets(0, 170), onTrouble: () => undefined })),
  )

  expect(taken).toHaveLength(170)
  expect(await spent(server)).toEqual({ alerts: 170 })
  expect(await states(server)).toEqual({ handed_over: 170, skipped: 130 })
})

test('metrics tell how old the oldest waiting text is, and how long texts waited', async () => {
  await using server = await startTestServer()
  const metrics = meterTexts(
    server.app.metrics,
    server.db,
    { sign_in_links: 9, links: 9, alerts: 9, calls: 0 },
    server.app.isDatabaseAway,
  )
  await waitingTexts(server, 1)
  await server.db
    .updateTable('sms')
    .set({ createdAt: new Date(Date.now() - 90_000) })
    .execute()
  const shown = async () => (await server.app.inject({ method: 'GET', url: '/metrics' })).body

  expect(await shown()).toMatch(/evac_texts_oldest_seconds (9\d|1\d\d)/)
  await sendTexts(server, { metrics })

  expect(await shown()).toContain('evac_texts_oldest_seconds 0')
  expect(await shown()).toContain('evac_text_wait_seconds_count{pot="alerts"} 1')
})

import { expect } from 'vitest'
import { endEvent } from '#features/events/calls/events.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import { endInput } from '#server/testing/event-input.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { startTestServer, type TestServer, withKey } from '#server/testing/test-server.ts'
import { reportIn } from '../calls/report-in.ts'

/** A running event whose wardens have not reported in, each with two sessions: a phone and a tablet. */
async function wardensInEvent(server: TestServer, count: number) {
  const org = await server.given.organisation()
  const wardens = await Promise.all(Array.from({ length: count }, () => server.given.warden(org)))
  const { eventUid, manager } = await server.runningEvent(org)
  const each = wardens.map(async (warden) => ({
    warden,
    phone: await server.as(warden),
    tablet: await server.as(warden),
    read: () => server.signInOf(eventUid, warden),
  }))
  return { org, manager, eventUid, wardens: await Promise.all(each) }
}

test('F35 REPORT-17 forty wardens tap twice on two devices at once: few statements, each on duty and told once', async () => {
  await using server = await startTestServer()
  const { wardens } = await wardensInEvent(server, 40)

  const answers = await Promise.all(
    wardens.flatMap(({ phone, tablet }) => {
      const key = withKey()
      return [phone(reportIn, {}, key), phone(reportIn, {}, key), tablet(reportIn, {}), tablet(reportIn, {}, withKey())]
    }),
  )

  const done = { success: true, status: 'On Duty', message: 'You have been reported as on duty.' }
  expect(answers).toEqual(Array(160).fill(done))
  for (const { warden, read } of wardens) {
    const signIn = await read()
    expect(signIn).toMatchObject({ reportedIn: true, onDuty: true })
    expect(await server.journalOf(signIn?.uid as string)).toMatchObject([
      { action: 'warden_reported_in', actorPersonUid: warden.personUid, before: { attendance: 'unknown' } },
    ])
  }
  const { values } = await server.app.metrics.batchRecords.get()
  const statements = values.find(
    ({ metricName, labels }) => metricName?.endsWith('_count') && labels.kind === 'report_in',
  )
  expect(statements?.value).toBeLessThan(40)
})

test('F35 F12 one key at once in two spellings of a call: one is taken, the other is a conflict', async ({
  server,
}) => {
  const { wardens } = await wardensInEvent(server, 2)
  const [one, other] = wardens.map(({ phone }) => phone)
  const headers = { authorization: `Bearer ${other?.token}`, 'idempotency-key': 'the same' }
  const post = (url: string) => server.app.inject({ method: 'POST', url, headers })

  const [, ...answers] = await Promise.all([one?.(reportIn, {}), post(reportIn.path), post(`${reportIn.path}/`)])

  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
})

test('F35 REPORT-17 EVENT-25 thirty report in, ten sign out and the event ends at once: no one stays on duty', async ({
  server,
}) => {
  for (let round = 0; round < 5; round++) {
    const { wardens, manager, org, eventUid } = await wardensInEvent(server, 30)
    await Promise.all(wardens.slice(0, 10).map(({ phone }) => phone(reportIn, {})))

    const codes = await refused(
      ...wardens.map(({ tablet }) => tablet(reportIn, {}, withKey())),
      ...wardens.slice(0, 10).map(({ phone }) => phone(logout, {})),
      manager(endEvent, endInput(org)),
    )

    expect(new Set(codes)).toEqual(new Set(['answered']))
    const open = server.db.selectFrom('wardenSignIn').select('uid').where('eventUid', '=', eventUid)
    expect(await open.where((eb) => eb.or([eb('onDuty', '=', true), eb('closedAt', 'is', null)])).execute()).toEqual([])
  }
}, 60_000)

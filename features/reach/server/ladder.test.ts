import { expect } from 'vitest'
import { reportIn, reportNotAvailable } from '#features/duty/calls/report-in.ts'
import { endEvent } from '#features/events/calls/events.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import type { AssignmentUid } from '#kernel/ids.ts'
import { endInput } from '#server/testing/event-input.ts'
import { mailsTo, sendMails } from '#server/testing/mails.ts'
import { takeDueSteps } from '#server/testing/reaches.ts'
import { test } from '#server/testing/server-test.ts'
import { sendTexts, textsOn, tokenIn } from '#server/testing/texts.ts'
import { after, called, choose, notesOf, reachesOf, stateOf } from './reach.fixture.ts'

test('LADDER-02 LADDER-04 who does not report in is reached step by step: what cannot work is noted, and the next is taken at once', async ({
  server,
}) => {
  const c = await called(server)
  await sendTexts(server)
  await after(server, c, 30)
  expect(await notesOf(server, c.ann)).toEqual(['push: No alerts on a phone.'])

  await after(server, c, 31)
  await sendMails(server)

  expect(await notesOf(server, c.ann)).toEqual([
    'push: No alerts on a phone.',
    'call: Calls are not set up.',
    'second_call: Calls are not set up.',
  ])
  const [text, ...more] = await textsOn(server, c.ann.mobile)
  expect(more).toEqual([])
  const mails = await mailsTo(server, c.ann.email)
  expect(mails).toEqual([{ subject: 'Quay is calling you', body: text }])
  expect(tokenIn(mails[0]?.body)).toBe(tokenIn(text))
})

test('LADDER-03 60 s after the last step a person is not reached, the journal tells it, and a late answer still counts', async ({
  server,
}) => {
  const c = await called(server)
  await after(server, c, 239)
  expect(await stateOf(server, c.ann)).toEqual({ state: 'going', reason: null })

  await after(server, c, 2)

  expect(await stateOf(server, c.ann)).toEqual({ state: 'used_up', reason: null })
  const told = (await server.journalOf(c.eventUid)).filter(({ action }) => action === 'not_reached')
  expect(told.map(({ after: what }) => what)).toEqual([{ people: 3 }])
  await server.onDuty(c.ann)
  await takeDueSteps(server)
  expect(await stateOf(server, c.ann)).toEqual({ state: 'answered', reason: null })
})

test('LADDER-02 as before: one text, and no other way', async ({ server }) => {
  const c = await called(server, {})
  await sendTexts(server)

  for (const seconds of [61, 120, 600]) await after(server, c, seconds)
  await sendTexts(server)
  await sendMails(server)

  expect(await textsOn(server, c.ann.mobile)).toHaveLength(1)
  expect(await notesOf(server, c.ann)).toEqual([])
  expect(await mailsTo(server, c.ann.email)).toEqual([])
})

test('LADDER-02 own steps: the same words again by text, at most as many as the organisation allows', async ({
  server,
}) => {
  const steps = [0, 60, 120].map((seconds) => ({ way: 'text', seconds }) as const)
  const c = await called(server, { report_in: steps })
  await choose(server, c.org.clientUid, { report_in: steps }, { texts: 2 })
  await sendTexts(server)

  for (const seconds of [61, 60]) await after(server, c, seconds)
  await sendTexts(server)

  const texts = await textsOn(server, c.ann.mobile)
  expect(texts).toHaveLength(2)
  expect(texts[1]).toBe(texts[0])
  expect(await notesOf(server, c.ann)).toEqual(['text: The most texts for one person have been sent.'])
})

test('LADDER-01 reporting in and not being available answer the alert, also in another role', async ({ server }) => {
  const c = await called(server)
  await server.onDuty(c.ann)
  const asCas = await server.as(c.cas)
  await asCas(reportNotAvailable, {})

  await after(server, c, 300)

  expect(await stateOf(server, c.ann)).toEqual({ state: 'answered', reason: null })
  expect(await stateOf(server, c.cas)).toEqual({ state: 'answered', reason: null })
  expect(await notesOf(server, c.ann)).toEqual([])
  expect(await stateOf(server, c.bob)).toEqual({ state: 'used_up', reason: null })
})

test('LADDER-01 an alert about one role is answered by reporting in with another', async ({ server }) => {
  const c = await called(server, undefined, {
    before: ({ bob }, org) => server.given.assignment(bob, org, { role: 'Building Warden' }),
  })
  const signIns = await server.db
    .selectFrom('wardenSignIn')
    .select(['uid', 'assignmentUid'])
    .where('personUid', '=', c.bob.personUid)
    .execute()
  const [reach] = await reachesOf(server, c.bob)
  const notCalled = signIns.find(({ uid }) => uid !== reach?.signInUid)
  const asBob = await server.as({ ...c.bob, assignmentUid: notCalled?.assignmentUid as AssignmentUid })
  await asBob(reportIn, {})

  await after(server, c, 61)

  expect(await stateOf(server, c.bob)).toEqual({ state: 'answered', reason: null })
})

test('LADDER-03 the end of the event ends every reach, and no step and no mail follows', async ({ server }) => {
  const c = await called(server)
  await after(server, c, 61)

  await c.manager(endEvent, endInput(c.org))
  await after(server, c, 300)
  await sendMails(server)

  expect(await stateOf(server, c.ann)).toEqual({ state: 'over', reason: 'The event has ended.' })
  expect(await mailsTo(server, c.ann.email)).toEqual([])
})

test('LADDER-03 who comes, goes off duty and has answered is called no more', async ({ server }) => {
  const c = await called(server)
  const asAnn = await server.onDuty(c.ann)
  await asAnn(logout, {})

  await after(server, c, 300)

  expect((await reachesOf(server, c.ann)).map(({ state }) => state)).toEqual(['answered'])
})

test('LADDER-04 a text that fails brings the next step to now, once', async ({ server }) => {
  const c = await called(server)
  await takeDueSteps(server)
  const texts = server.db.updateTable('sms').set({ status: 'failed', reason: 'The number is not in service.' })
  await texts.where('personUid', '=', c.ann.personUid).execute()

  await takeDueSteps(server)
  await takeDueSteps(server)

  expect(await notesOf(server, c.ann)).toContain('call: Calls are not set up.')
  expect(await notesOf(server, c.bob)).toEqual(['push: No alerts on a phone.'])
  // 'next' at 180 s still waits for its time
  expect((await reachesOf(server, c.ann)).map(({ step, state }) => [step, state])).toEqual([[5, 'going']])
})

test('LADDER-05 a text that the budget does not cover is noted, and the next way is taken', async ({ server }) => {
  const c = await called(server)
  await sendTexts(server, { budgets: { ...server.config.smsBudgets, alerts: 0 }, onTrouble: () => undefined })

  await takeDueSteps(server)
  await sendMails(server)

  const [text] = await server.db.selectFrom('sms').selectAll().where('personUid', '=', c.ann.personUid).execute()
  expect(text).toMatchObject({ status: 'skipped', reason: 'The text budget for today is used up.' })
  expect(await mailsTo(server, c.ann.email)).toHaveLength(1)
})

test('LADDER-04 who has no number and no address is not reached by any way', async ({ server }) => {
  const c = await called(server, undefined, {
    before: ({ ann }) =>
      server.db.updateTable('person').set({ mobile: null, email: null }).where('uid', '=', ann.personUid).execute(),
  })

  await takeDueSteps(server)

  expect(await notesOf(server, c.ann)).toEqual([
    'push: No alerts on a phone.',
    'call: Calls are not set up.',
    'second_call: Calls are not set up.',
    'mail: No e-mail address.',
  ])
})

test('LADDER-03 a suspended organisation takes no step, and others go on', async ({ server }) => {
  const [c, other] = [await called(server), await called(server)]
  await server.db.updateTable('client').set({ active: false }).where('uid', '=', c.org.clientUid).execute()

  await after(server, c, 61)
  await after(server, other, 61)

  expect(await notesOf(server, c.ann)).toEqual([])
  expect(await notesOf(server, other.ann)).toHaveLength(3)
})

test('LADDER-03 a step that is more than a quarter of an hour late is not taken', async ({ server }) => {
  const c = await called(server, { report_in: [0, 60].map((seconds) => ({ way: 'text', seconds }) as const) })
  await after(server, c, 60 + 15 * 60 + 1)
  await sendTexts(server)

  expect(await textsOn(server, c.ann.mobile)).toHaveLength(1)
  expect(await stateOf(server, c.ann)).toEqual({ state: 'used_up', reason: null })
})

import { expect } from 'vitest'
import { endEvent } from '#features/events/calls/events.ts'
import type { GivenInput } from '#kernel/route.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { endInput } from '#server/testing/event-input.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { startTestServer, type TestServer, testConfig, withKey } from '#server/testing/test-server.ts'
import { getSettings, type Settings, saveSettings } from '../../calls/settings.ts'

type Wanted = GivenInput<typeof saveSettings>['body']

/** An administrator with the settings as they stand, and a way to save them with some fields changed. */
async function settingsOf(server: TestServer) {
  const org = await server.given.organisation()
  const admin = await givenAdministrator(server, org)
  const call = await asAdministrator(server, admin)
  const save = async (over: Partial<Wanted>) => {
    const { server: _, ...held } = await call(getSettings, {})
    return call(saveSettings, { body: { ...held, may_delete: false, ...over } }, withKey())
  }
  return { org, admin, call, save, read: () => call(getSettings, {}) }
}
const savedOf = (reply: object) => (reply as { saved: Settings }).saved

test('ORG-37 ORG-40 the settings are read and saved, empty ones are those of the server', async ({ server }) => {
  const { org, admin, save, read } = await settingsOf(server)
  const before = await read()
  expect(before).toMatchObject({
    name: org.name,
    timezone: 'Australia/Sydney',
    country: 'AU',
    contact_email: '',
    sms_allowed: true,
    ...{
      coverage_minutes: 3,
      coverage_mail: true,
      sms_links: null,
      calls: null,
      days: { messages: null, events: null, audit: null, plans: null },
    },
    server: { sms_links: 5000, sms_alerts: 200_000, calls: 2000 },
  })

  const saved = savedOf(
    await save({ name: ' Harbour School ', contact_email: 'office@school.test', sms_allowed: false, sms_links: 10 }),
  )

  expect(saved).toMatchObject({
    name: 'Harbour School',
    contact_email: 'office@school.test',
    sms_allowed: false,
    sms_links: 10,
  })
  expect(await read()).toEqual(saved)
  const entries = await server.journalOf(org.clientUid)
  expect(
    entries.map(({ action, actorPersonUid, before, after }) => ({ action, actorPersonUid, before, after })),
  ).toEqual([
    {
      action: 'settings_changed',
      actorPersonUid: admin.personUid,
      before: { sms_allowed: true, sms_links: null },
      after: { sms_allowed: false, sms_links: 10, fields: ['name', 'contact_email', 'sms_allowed', 'sms_links'] },
    },
  ])
})

test('CMD-04 ORG-37 the minutes after which a leader is silent are 5, or 2 to 60; a form that does not know them keeps them', async ({
  server,
}) => {
  const { save, read } = await settingsOf(server)
  expect((await read()).command_minutes).toBe(5)

  await save({ command_minutes: 10 })
  await save({ name: 'Other', command_minutes: undefined } as never)

  expect((await read()).command_minutes).toBe(10)
  for (const minutes of [1, 61])
    await expect(save({ command_minutes: minutes })).rejects.toMatchObject({ code: 'invalid_request' })
})

test('ORG-37 ORG-40 log heads go to up to three addresses; the journal names the field alone', async ({ server }) => {
  const { org, save, read } = await settingsOf(server)
  expect((await read()).log_head_addresses).toBe('')

  await save({ log_head_addresses: ' a@insurer.test, b@insurer.test\n\nA@insurer.test c@insurer.test ' })
  await save({ name: 'Other', log_head_addresses: undefined } as never)

  expect((await read()).log_head_addresses).toBe('A@insurer.test\nb@insurer.test\nc@insurer.test')
  const [first] = await server.journalOf(org.clientUid)
  expect([first?.before, first?.after]).toEqual([{}, { fields: ['log_head_addresses'] }])
  const fields = ['log_head_addresses']
  for (const [log_head_addresses, message] of [
    ['a@insurer.test b', 'One of these is not an email address.'],
    ['a@x.test b@x.test c@x.test d@x.test', 'Enter 3 email addresses at most.'],
  ] as const)
    await expect(save({ log_head_addresses })).rejects.toMatchObject({ code: 'invalid_request', message, fields })
  await save({ log_head_addresses: '' })
  expect((await read()).log_head_addresses).toBe('')
})

test('ORG-37 a bad value is told in the words of the importer, with its field', async ({ server }) => {
  const { save } = await settingsOf(server)

  for (const [over, field, message] of [
    [{ contact_email: 'office' }, 'contact_email', 'Contact email is not an email address'],
    [{ name: ' ' }, 'name', 'Name is empty'],
    [{ timezone: 'Mars/Olympus' }, 'timezone', 'Time zone is not a time zone such as Australia/Sydney'],
    [{ sms_alerts: 200_001 }, 'sms_alerts', 'The server allows 200000 segments a day.'],
    [{ calls: 2001 }, 'calls', 'The server allows 2000 calls a day.'],
  ] as const)
    await expect(save(over)).rejects.toMatchObject({ code: 'invalid_request', message, fields: [field] })
  expect(
    await refused(
      ...[{ messages: 29 }, { events: 364 }, { audit: 364 }, { plans: 0 }].map((days) =>
        save({ days: { ...{ messages: null, events: null, audit: null, plans: null }, ...days } }),
      ),
    ),
  ).toEqual(Array(4).fill('invalid_request'))
})

test('ORG-37 of ten who save what they have read at once one saves, the others read when', async ({ server }) => {
  const { call, read } = await settingsOf(server)
  const { server: _, ...held } = await read()
  const names = Array.from({ length: 10 }, (_, n) => `Name ${n}`)

  const outcomes = await refused(
    ...names.map((name) => call(saveSettings, { body: { ...held, name, may_delete: false } }, withKey())),
  )

  expect(outcomes.toSorted()).toEqual(['answered', ...Array(9).fill('changed_since')])
  expect((await read()).name).toBe(names[outcomes.indexOf('answered')])
  await expect(call(saveSettings, { body: { ...held, may_delete: false } })).rejects.toMatchObject({
    message: expect.stringMatching(/^Someone else changed this at \d\d:\d\d\.$/),
  })
})

test('ORG-38 shorter days ask first what the night deletes, and save nothing until then', async ({ server }) => {
  const { org, save, read } = await settingsOf(server)
  const { eventUid, manager } = await server.runningEvent(org)
  await manager(endEvent, endInput(org))
  const endedAt = new Date(Date.now() - 500 * 86_400_000)
  await server.db.updateTable('event').set({ endedAt }).where('uid', '=', eventUid).execute()
  const days = { messages: 60, events: 400, audit: null, plans: null }

  const asked = await save({ days })

  const before = (kept: number) =>
    new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney' }).format(Date.now() - kept * 86_400_000)
  expect(asked).toEqual({
    deletes: [
      { kind: 'messages', count: expect.any(Number), before: before(60) },
      { kind: 'events', count: 1, before: before(400) },
    ],
  })
  expect((await read()).days.events).toBeNull()
  expect(savedOf(await save({ days, may_delete: true })).days).toEqual(days)
  // longer days and the same ones ask nothing
  expect(savedOf(await save({ days: { ...days, events: 800 } })).days.events).toBe(800)
  expect(savedOf(await save({ name: 'Another name' })).days.events).toBe(800)
})

test('ORG-38 of messages and plans the shorter days count, of events and audit the own ones', async () => {
  const retention = { messages: 90, events: 800, audit: 800, peeps: 30 }
  await using server = await startTestServer({ config: { ...testConfig, retention } })
  const { save } = await settingsOf(server)
  const kindsAsked = async (days: Partial<Wanted['days']>) => {
    const all = { messages: null, events: null, audit: null, plans: null }
    const reply = await save({ days: { ...all, ...days } })
    return 'deletes' in reply && reply.deletes ? reply.deletes.map(({ kind }) => kind) : 'saved'
  }

  // longer than the installation's: for messages and plans nothing changes, events are kept longer
  expect(await kindsAsked({ messages: 200, events: 1000, audit: 1000, plans: 60 })).toBe('saved')
  expect(await kindsAsked({ messages: 89, events: 999, audit: 999, plans: 29 })).toEqual([
    ...['messages', 'events', 'audit', 'plans'],
  ])
  expect(await kindsAsked({})).toEqual(['events', 'audit'])
})

test('ORG-37 the zone and texts off wait for the end of an event, texts on does not', async ({ server }) => {
  const { org, save } = await settingsOf(server)
  const { manager } = await server.runningEvent(org)
  const message = `An event is running at ${org.siteName}. This can be changed when it has ended.`

  await expect(save({ timezone: 'Australia/Perth' })).rejects.toMatchObject({
    code: 'in_event',
    message,
    fields: ['timezone'],
  })
  await expect(save({ sms_allowed: false })).rejects.toMatchObject({
    code: 'in_event',
    message,
    fields: ['sms_allowed'],
  })
  expect(savedOf(await save({ name: 'At once' })).name).toBe('At once')
  await manager(endEvent, endInput(org))

  const saved = savedOf(await save({ timezone: 'Australia/Perth', sms_allowed: false }))
  expect(saved).toMatchObject({ timezone: 'Australia/Perth', sms_allowed: false })
  await server.runningEvent(org)
  expect(savedOf(await save({ sms_allowed: true })).sms_allowed).toBe(true)
})

test('ORG-37 a saved number of segments or calls is what texts and calls are charged against', async ({ server }) => {
  const { org, save } = await settingsOf(server)
  await save({ sms_links: 7, sms_alerts: 8, calls: 6, coverage_minutes: 9 })

  const stored = await server.db
    .selectFrom('client')
    .select(['smsDailyLinks', 'smsDailyAlerts', 'dailyCalls', 'coverageMinutes'])
    .where('uid', '=', org.clientUid)
    .executeTakeFirst()
  expect(stored).toEqual({ smsDailyLinks: 7, smsDailyAlerts: 8, dailyCalls: 6, coverageMinutes: 9 })
})

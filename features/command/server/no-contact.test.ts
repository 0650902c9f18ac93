import { expect } from 'vitest'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { sendTexts, textsOn } from '#server/testing/texts.ts'
import { getCommand, handOver, takeCommand } from '../calls/command.ts'
import { actorOf, type Commanded, commanded, unheardFor, watch } from './command.fixture.ts'
import { briefCommand } from './command.service.ts'

/** What the phone of this token shows of the command. */
const briefOf = async (server: TestServer, { token }: { token: string }) =>
  briefCommand(server.db, await actorOf(server, token), new Date())
const kinds = async (server: TestServer, { eventUid }: Commanded) =>
  (await server.journalOf(eventUid)).map(({ action }) => action).filter((action) => action.startsWith('command_'))

test('CMD-04 CMD-05 a leader who is not heard for five minutes is texted once, and the first of the chain is asked', async ({
  server,
}) => {
  const c = await commanded(server)
  await unheardFor(server, c, c.signInUid, 4)
  await watch(server)
  expect(await kinds(server, c)).toEqual([])

  await unheardFor(server, c, c.signInUid, 6)
  await Promise.all([watch(server), watch(server), watch(server)])
  await sendTexts(server)

  expect(await kinds(server, c)).toEqual(['command_silent'])
  expect(await textsOn(server, c.chief.mobile)).toEqual([
    `Are you still in command at ${c.org.siteName}? Open the app: ${server.config.appUrl}`,
  ])
  const [leader, first, second, floor] = [
    await briefOf(server, c.manager),
    await briefOf(server, c.asDeputy),
    await briefOf(server, c.asSecond),
    await briefOf(server, c.asFloor),
  ]
  expect([leader?.take, floor?.take]).toEqual([null, null])
  const minutes = (from: string | null | undefined) => Math.round((Date.parse(String(from)) - Date.now()) / 60_000)
  expect(minutes(floor?.silent_since)).toBe(-6)
  expect(first?.take).toMatchObject({ why: 'silent', name: leader?.in_command?.name, note: null, until: null })
  expect([first, second].map((brief) => minutes(brief?.take?.from))).toEqual([-1, 1])
})

test('CMD-05 heard again, all of it goes; a drill says so in its text', async ({ server }) => {
  const c = await commanded(server, { kind: 'drill' })
  await unheardFor(server, c, c.signInUid, 6)
  await watch(server)
  await sendTexts(server)
  expect((await briefOf(server, c.asDeputy))?.take?.why).toBe('silent')

  // any entry of theirs in the journal is a sign of life
  await c.manager(handOver, { body: { turn: (await c.turnNow()).turn, to: await c.signInOf(c.deputy), note: '' } })
  await watch(server)

  expect(await kinds(server, c)).toEqual(['command_silent', 'command_changed', 'command_heard'])
  const brief = await briefOf(server, c.asSecond)
  expect([brief?.silent_since, brief?.take]).toEqual([null, null])
  expect(await textsOn(server, c.chief.mobile)).toEqual([expect.stringMatching(/^DRILL/)])
})

test('CMD-04 CMD-05 CMD-06 off duty the command is vacant at once, and stays vacant until someone takes it', async ({
  server,
}) => {
  const c = await commanded(server)
  const { turn } = await c.turnNow()

  await c.manager(logout, {})

  const { turn: vacant } = await c.asFloor(getCommand, {})
  expect(vacant).toMatchObject({ turn, in_command: null, silent_since: null })
  const [first, second] = [await briefOf(server, c.asDeputy), await briefOf(server, c.asSecond)]
  expect(first).toMatchObject({ in_command: null, take: { why: 'vacant', from: vacant.since } })
  expect(Date.parse(String(second?.take?.from))).toBe(Date.parse(vacant.since) + 120_000)
  await watch(server)
  await sendTexts(server)
  expect(await kinds(server, c)).toEqual(['command_silent'])
  expect(await textsOn(server, c.chief.mobile)).toEqual([])

  const { turn: now, turns } = await c.asSecond(takeCommand, { body: { turn } })
  expect(now.in_command?.wardenSignInUid).toBe(await c.signInOf(c.second))
  expect(turns[0]?.how).toBe('silent')
})

test('CMD-04 the organisation decides after how many minutes a leader is silent', async ({ server }) => {
  const c = await commanded(server)
  await server.db.updateTable('client').set({ commandMinutes: 30 }).where('uid', '=', c.org.clientUid).execute()
  await unheardFor(server, c, c.signInUid, 20)

  await watch(server)

  expect(await kinds(server, c)).toEqual([])
})

test('CMD-08 who is asked to take over reads by whom, until when and with what note; no one else does', async ({
  server,
}) => {
  const c = await commanded(server)
  const { turn } = await c.turnNow()
  await c.manager(handOver, { body: { turn, to: await c.signInOf(c.second), note: 'Take over.' } })

  const [asked, other] = [await briefOf(server, c.asSecond), await briefOf(server, c.asDeputy)]

  expect(asked?.take).toMatchObject({ why: 'asked', note: 'Take over.', name: asked?.in_command?.name })
  expect(Date.parse(String(asked?.take?.until)) - Date.parse(String(asked?.take?.from))).toBe(120_000)
  expect(other?.take).toBeNull()
})

import { expect } from 'vitest'
import { getReportData } from '#features/duty/calls/report-in.ts'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import type { ApiError } from '#kernel/client/client.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { withKey } from '#server/testing/test-server.ts'
import { getCommand, handOver, takeCommand } from '../calls/command.ts'
import { commanded } from './command.fixture.ts'

test('CMD-01 CMD-02 who started the event is in command, and every warden on duty reads who, since when and the chain', async ({
  server,
}) => {
  const { asFloor, signInUid, chief } = await commanded(server)

  const { turn, chain, turns } = await asFloor(getCommand, {})

  expect(turn).toMatchObject({
    in_command: {
      wardenSignInUid: signInUid,
      name: expect.stringMatching(/^Chief /),
      role: 'Chief Warden',
      phone: chief.mobile,
    },
    silent_since: null,
    asked: null,
  })
  expect(chain.map(({ name }) => name.split(' ')[0])).toEqual(['Chief', 'Dee', 'Sam'])
  expect(turns).toMatchObject([{ uid: turn.turn, how: 'start', note: null, ended_at: null }])
})

test('CMD-03 the chain is by the order of the roles, empty last, then by who is longest on duty', async ({
  server,
}) => {
  const c = await commanded(server)
  const { second } = c
  await server.db
    .updateTable('wardenRole')
    .set({ commandOrder: 2 })
    .where('uid', 'in', (eb) =>
      eb.selectFrom('wardenAssignment').select('roleUid').where('uid', '=', second.assignmentUid),
    )
    .execute()

  const { chain } = await c.asFloor(getCommand, {})

  expect(chain.map(({ name }) => name.split(' ')[0])).toEqual(['Sam', 'Chief', 'Dee'])
})

test('CMD-07 CMD-10 a deputy takes command: journaled with counts, the note stays with the turn, the former leader stays on duty', async ({
  server,
}) => {
  const c = await commanded(server)
  const danger = { personId: c.person, status: 'danger', floorId: c.org.floorUid } as const
  await c.asFloor(setPersonStatus, { body: danger })
  const { turn } = await c.turnNow()

  const { turns } = await c.asDeputy(takeCommand, { body: { turn, note: 'The chief is at the gate.' } })

  const [now, before] = turns
  expect(now).toMatchObject({ how: 'taken', note: 'The chief is at the gate.', ended_at: null })
  expect(now?.counts).toMatchObject({ danger: 1, floors: 3, floors_cleared: 0 })
  expect(before).toMatchObject({ uid: turn, how: 'start', ended_at: expect.any(String) })
  const entry = (await server.journalOf(c.eventUid)).find(({ action }) => action === 'command_changed')
  expect(entry).toMatchObject({
    actorSignInUid: await c.signInOf(c.deputy),
    before: { turn_uid: turn, sign_in_uid: c.signInUid },
    after: { turn_uid: now?.uid, how: 'taken', counts: now?.counts },
  })
  expect(JSON.stringify(entry)).not.toContain('gate')
  expect(await server.signInOf(c.eventUid, c.chief)).toMatchObject({ onDuty: true })
})

test('CMD-07 UX-52 wardens are told to call who is in command', async ({ server }) => {
  const c = await commanded(server)
  const { turn } = await c.turnNow()

  await c.asDeputy(takeCommand, { body: { turn } })

  const { data } = await c.asFloor(getReportData, {})
  expect(data.chief).toMatchObject({ id: c.deputy.assignmentUid })
})

test('CMD-09 of many at once one takes command, and the others read who did', async ({ server }) => {
  const c = await commanded(server)
  const { turn } = await c.turnNow()
  const held = await server.hold('command_turn', turn)

  const asked = [c.asDeputy, c.asSecond, c.asDeputy, c.asSecond].map((by) =>
    by(takeCommand, { body: { turn } }).then(
      () => 'taken',
      (error: ApiError) => `${error.code}: ${error.message}`,
    ),
  )
  await held.waiting(4)
  await held.release()
  const outcomes = await Promise.all(asked)

  const { in_command } = await c.turnNow()
  expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(1)
  expect(new Set(outcomes.filter((outcome) => outcome !== 'taken'))).toEqual(
    new Set([`command_changed: ${in_command?.name} has just taken command.`]),
  )
  const turns = await server.db.selectFrom('commandTurn').selectAll().where('eventUid', '=', c.eventUid).execute()
  expect(turns).toHaveLength(2)
})

test('CMD-09 the same press twice takes command once, and the one in command keeps it', async ({ server }) => {
  const c = await commanded(server)
  const { turn } = await c.turnNow()
  const key = withKey()

  const first = await c.asDeputy(takeCommand, { body: { turn } }, key)
  const again = await c.asDeputy(takeCommand, { body: { turn } }, key)
  const own = await c.asDeputy(takeCommand, { body: { turn: first.turn.turn } })

  expect(again).toEqual(first)
  expect(own.turn.turn).toBe(first.turn.turn)
  expect(own.turns).toHaveLength(2)
})

test('CMD-08 the leader asks one of the chain; until they take command the leader leads, and the note goes with it', async ({
  server,
}) => {
  const c = await commanded(server)
  const { turn } = await c.turnNow()
  const to = await c.signInOf(c.deputy)

  const asked = await c.manager(handOver, { body: { turn, to, note: ' Level 2 is not searched. ' } })
  expect(asked.turn).toMatchObject({ in_command: { wardenSignInUid: c.signInUid }, asked: { wardenSignInUid: to } })
  const { turns } = await c.asDeputy(takeCommand, { body: { turn } })

  expect(turns[0]).toMatchObject({ how: 'handed_over', note: 'Level 2 is not searched.' })
})

test('CMD-08 after two minutes no one is asked any more', async ({ server }) => {
  const c = await commanded(server)
  const { turn } = await c.turnNow()
  await c.manager(handOver, { body: { turn, to: await c.signInOf(c.deputy), note: 'Secret of the hand-over' } })
  await server.db
    .updateTable('commandTurn')
    .set({ askedAt: new Date(Date.now() - 121_000) })
    .where('uid', '=', turn)
    .execute()

  expect((await c.turnNow()).asked).toBeNull()
  const { turns } = await c.asDeputy(takeCommand, { body: { turn } })

  expect(turns[0]).toMatchObject({ how: 'taken', note: null })
})

test('CMD-08 only the leader hands over, to someone else of the chain who is on duty', async ({ server }) => {
  const c = await commanded(server)
  const { turn } = await c.turnNow()
  const [deputy, floor] = [await c.signInOf(c.deputy), await c.signInOf(c.floor)]
  const away = await c.signInOf(c.second)
  await c.asSecond(logout, {})
  const foreign = await commanded(server)
  const foreignTurn = (await foreign.turnNow()).turn
  const ask = (by: typeof c.manager, to: typeof deputy, note = '') => by(handOver, { body: { turn, to, note } })

  const outcomes = await refused(
    ask(c.asDeputy, deputy),
    ask(c.asFloor, deputy),
    ask(c.manager, c.signInUid),
    ask(c.manager, floor),
    ask(c.manager, foreign.signInUid),
    ask(c.manager, away),
    ask(c.manager, deputy, 'a\u0007b'),
    c.manager(handOver, { body: { turn: foreignTurn, to: deputy, note: '' } }),
    c.asFloor(takeCommand, { body: { turn } }),
  )

  expect(outcomes).toEqual([
    ...['invalid_transition', 'forbidden', 'not_found', 'not_found', 'not_found', 'not_on_duty', 'invalid_request'],
    ...['command_changed', 'forbidden'],
  ])
})

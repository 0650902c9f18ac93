import { expect } from 'vitest'
import { getBoard } from '#features/board/calls/board.ts'
import type { ReachUid } from '#kernel/ids.ts'
import { sendMails } from '#server/testing/mails.ts'
import { takeDueSteps } from '#server/testing/reaches.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { sendTexts, textsOn } from '#server/testing/texts.ts'
import { actOnReach, getReach } from '../calls/reach.ts'
import type { ReachAct } from '../kinds.ts'
import { after, type Called, called, reachesOf } from './reach.fixture.ts'

const list = ({ manager }: Called, which: 'trying' | 'not_reached' | 'reached') =>
  manager(getReach, { query: { class: 'report_in', list: which } })
const press = ({ manager }: Called, uid: string, act: ReachAct, key?: string) =>
  manager(actOnReach, { params: { uid: uid as ReachUid }, body: { act } }, withKey(key))
const uidOf = async (server: TestServer, who: { personUid: string }) =>
  (await reachesOf(server, who as never))[0]?.uid as string

test('LADDER-07 by class and list: each person has a line a try, and the board says how many wardens were not reached', async ({
  server,
}) => {
  const c = await called(server)
  await sendTexts(server)
  await server.onDuty(c.ann)
  await after(server, c, 61)
  await sendMails(server)

  const { classes, people } = await list(c, 'trying')
  expect(classes).toEqual([{ class: 'report_in', reached: 1, trying: 2, not_reached: 0 }])
  expect(people.map(({ name }) => name.split(' ')[0])).toEqual(['Bob', 'Cas'])
  expect(people[0]).toMatchObject({
    warden: true,
    phone: c.bob.mobile,
    location: 'Tower A - Ground',
    answered_at: null,
  })
  expect(people[0]?.tries.map(({ way, state, reason }) => [way, state, reason])).toEqual([
    ['text', 'delivered', ''],
    ['push', 'skipped', 'No alerts on a phone.'],
    ['call', 'skipped', 'Calls are not set up.'],
    ['second_call', 'skipped', 'Calls are not set up.'],
    ['mail', 'handed_over', ''],
  ])
  expect((await list(c, 'reached')).people).toMatchObject([{ answered_at: expect.any(String), spoken_by: '' }])

  await after(server, c, 200)
  expect((await list(c, 'not_reached')).people).toHaveLength(2)
  const board = await c.manager(getBoard, { query: {} })
  expect(board).toMatchObject({ reach: { wardens: 2 } })
})

test('LADDER-07 I have spoken to them ends it, with who did; many presses note it once', async ({ server }) => {
  const c = await called(server)
  const uid = await uidOf(server, c.bob)

  await Promise.all(Array.from({ length: 4 }, () => press(c, uid, 'spoken')))
  await after(server, c, 300)

  expect((await list(c, 'reached')).people).toMatchObject([{ spoken_by: expect.stringContaining('Chief') }])
  const entries = (await server.journalOf(await c.signInOf(c.bob))).filter(({ action }) => action === 'reach_spoken')
  expect(entries).toHaveLength(1)
  expect(await textsOn(server, c.bob.mobile)).toEqual([])
})

test('LADDER-07 Try again now takes all steps once more, once a minute, also of many presses at once', async ({
  server,
}) => {
  const c = await called(server)
  await sendTexts(server)
  await after(server, c, 300)
  const uid = await uidOf(server, c.bob)

  const pressed = await Promise.all(
    Array.from({ length: 4 }, () =>
      press(c, uid, 'again').then(
        () => 'done',
        (error) => error.message,
      ),
    ),
  )
  await takeDueSteps(server)
  await sendTexts(server)

  expect(pressed.toSorted()).toEqual([...Array(3).fill('You can try again after a minute.'), 'done'])
  expect(await textsOn(server, c.bob.mobile)).toHaveLength(2)
  const { people } = await list(c, 'trying')
  expect(people).toMatchObject([{ again_from: expect.any(String) }])
})

test('LADDER-07 who has answered is not tried again, nor after the end; one of another event is not found', async ({
  server,
}) => {
  const [c, other] = [await called(server), await called(server)]
  await server.onDuty(c.ann)
  await takeDueSteps(server)

  expect(await refused(press(c, await uidOf(server, c.ann), 'again'))).toEqual(['invalid_transition'])
  expect(await refused(press(c, await uidOf(server, other.ann), 'spoken'))).toEqual(['not_found'])
  expect(await refused(press(c, crypto.randomUUID(), 'spoken'))).toEqual(['not_found'])
})

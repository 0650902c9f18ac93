import { expect } from 'vitest'
import { boardOf } from '#features/board/server/board.fixture.ts'
import { test } from '#server/testing/server-test.ts'
import { takeCommand } from '../calls/command.ts'
import { sendInstruction, understand } from '../calls/instructions.ts'
import { commanded, unheardFor, watch } from './command.fixture.ts'

test('CMD-02 CMD-05 a board has who is in command, since when, and that they are not heard', async ({ server }) => {
  const c = await commanded(server)
  const { turn } = await c.turnNow()
  await c.asDeputy(takeCommand, { body: { turn } })
  expect((await boardOf(server, c.manager)).command).toMatchObject({
    name: expect.stringMatching(/^Dee /),
    role: expect.any(String),
  })

  await unheardFor(server, c, await c.signInOf(c.deputy), 6)
  await watch(server)

  const { command } = await boardOf(server, c.manager)
  expect(command?.silent_since).toBeLessThan(-200)
})

test('CMD-24 CMD-26 a board has the newest instruction with n of m, and tells floors apart where instructions differ', async ({
  server,
}) => {
  const c = await commanded(server)
  const { floors } = c.org
  const send = (kind: 'evacuate' | 'stay', at: 'all' | (typeof floors)[0][]) =>
    c.manager(sendInstruction, { body: { kind, message: 'As you have trained.', floors: at, text: 'no' } })
  const told = async () => (await boardOf(server, c.manager)).floors.map((floor) => floor.told)
  const { uid } = await send('stay', 'all')
  await c.asFloor(understand, { params: { uid } })
  expect((await boardOf(server, c.manager)).instruction).toMatchObject({ uid, kind: 'stay', understood: 1, meant: 3 })
  expect(new Set(await told())).toEqual(new Set([undefined]))

  await send('evacuate', [floors[0], floors[1]])

  // from the top: Level 2, Level 1, Ground, no floor
  expect(await told()).toEqual(['stay', 'evacuate', 'evacuate', 'stay'])
})

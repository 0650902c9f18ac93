import { expect, test } from 'vitest'
import { getChannels } from '#features/live-updates/calls/realtime.ts'
import { openTestDatabase } from '../testing/database.ts'
import { startNode } from '../testing/nodes.ts'
import { refused } from '../testing/refused.ts'
import { runCommand } from '../testing/run-command.ts'
import { test as withServer } from '../testing/server-test.ts'
import { startTestServer } from '../testing/test-server.ts'

withServer('T26 sign-everybody-out ends every session and prints the number', async ({ server }) => {
  const call = await server.as(await server.given.warden(await server.given.organisation()))
  expect(await call(getChannels, {})).toMatchObject({ channels: [] })

  const { stdout, code } = await runCommand('commands/sign-everybody-out-main.ts', server.database)

  expect([code, stdout]).toEqual([0, expect.stringMatching(/^1 sessions and links have ended/m)])
  expect(await refused(call(getChannels, {}))).toEqual(['not_signed_in'])
})

test('T25 people stay signed in when SECRET_KEY changes', { timeout: 120_000 }, async () => {
  const database = await openTestDatabase()
  await using server = await startTestServer({}, database)
  const call = await server.as(await server.given.warden(await server.given.organisation()))
  await using node = await startNode(database, { SECRET_KEY: 'another secret, which no one knew before' })

  expect(await node.call(call.token)(getChannels, {})).toMatchObject({ channels: [] })
})

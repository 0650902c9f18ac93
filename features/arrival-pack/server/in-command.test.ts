import { expect } from 'vitest'
import { takeCommand } from '#features/command/calls/command.ts'
import { commanded, unheardFor, watch } from '#features/command/server/command.fixture.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import { test } from '#server/testing/server-test.ts'
import { withKey } from '#server/testing/test-server.ts'
import { makePack } from '../calls.ts'
import { textOf, visitorOf } from './pack.fixture.ts'

test('PACK-04 CMD-05 who is in command stands with role and phone: by the current turn, also silent, and vacant', async ({
  server,
}) => {
  const c = await commanded(server)
  const { url } = await c.manager(makePack, { body: { hours: 4, plans: 'yes' } }, withKey())
  const visitor = visitorOf(server)
  const own = String((await visitor.post(new URL(url).pathname)).headers.location)
  const shown = async () => {
    const { body } = await visitor.get(own)
    return / Refresh (.*?) In danger /.exec(textOf(body))?.[1]
  }
  const atFirst = await shown()

  const { turn } = await c.turnNow()
  await c.asDeputy(takeCommand, { body: { turn } })
  const taken = await shown()
  await unheardFor(server, c, await c.signInOf(c.deputy), 6)
  await watch(server)
  const silent = await shown()
  await c.asDeputy(logout, {})

  expect(atFirst).toMatch(new RegExp(`^In command: Chief \\d+, Chief Warden , \\+${c.chief.mobile}$`))
  expect(taken).toMatch(new RegExp(`^In command: Dee \\d+, .* \\+${c.deputy.mobile}$`))
  expect(silent).toMatch(/^In command: Dee .* No contact for 6 min$/)
  expect(await shown()).toBe('No one is in command.')
})

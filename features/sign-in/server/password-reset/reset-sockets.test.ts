import { expect } from 'vitest'
import { getChannelToken } from '#features/live-updates/calls/realtime.ts'
import { test as base } from '#server/testing/server-test.ts'
import { startServerWithSockets } from '#server/testing/sockets.ts'
import { rejoin } from '../../calls/sign-in.ts'
import { newToken, setPassword } from './password-reset.fixture.ts'

// biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
const test = base.extend('sockets', { scope: 'file' }, async ({}, { onCleanup }) => {
  const server = await startServerWithSockets()
  onCleanup(() => server[Symbol.asyncDispose]())
  return server
})
type Sockets = Awaited<ReturnType<typeof startServerWithSockets>>

async function onDuty(server: Sockets) {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const { eventUid } = await server.runningEvent(org)
  return { warden, eventUid, call: await server.onDuty(warden) }
}

test('AMB-028 HUB-09 T12 after a new password the sockets of the old sessions close, and their tokens open none', async ({
  sockets,
}) => {
  const { warden, eventUid, call } = await onDuty(sockets)
  const { phone, token } = await sockets.connect(call)
  using _first = await phone.ready()

  expect(await setPassword(sockets, await newToken(sockets, warden))).toBe('changed')

  await expect.poll(() => phone.log.at(-1)).toBe('disconnected 3503')
  using again = (await sockets.connect(call, token)).phone
  await expect.poll(() => again.log.at(-1)).toBe('disconnected 3500')
  expect(sockets.hub.counts().connections).toBe(0)

  const anew = await sockets.as(warden)
  using back = (await sockets.connect(anew)).phone
  await back.ready()
  expect(await sockets.signInOf(eventUid, warden)).toMatchObject({ onDuty: true })
})

test('HUB-09 T3 T12 a rejoin leaves the token of the session before it without use', async ({ sockets }) => {
  const { warden, call } = await onDuty(sockets)
  const { token } = await call(getChannelToken, {})

  const { access_token } = await call(rejoin, { body: { person_uid: warden.personUid } })

  using old = (await sockets.connect(call, token)).phone
  await expect.poll(() => old.log.at(-1)).toBe('disconnected 3500')
  const now = sockets.callWith(access_token)
  using fresh = (await sockets.connect(Object.assign(now, { token: access_token }))).phone
  await fresh.ready()
})

test.for(['account', 'person', 'client'] as const)(
  'HUB-09 T12 no token outlives its %s',
  async (table, { sockets }) => {
    const { warden, call } = await onDuty(sockets)
    const { token } = await call(getChannelToken, {})
    const uid = { account: warden.accountUid, person: warden.personUid, client: warden.clientUid }[table]

    await sockets.db.updateTable(table).set({ active: false }).where('uid', '=', uid).execute()

    using phone = (await sockets.connect(call, token)).phone
    await expect.poll(() => phone.log.at(-1)).toBe('disconnected 3500')
  },
)

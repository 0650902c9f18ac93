import { expect } from 'vitest'
import { textOf } from '#features/arrival-pack/server/pack.fixture.ts'
import { noteMoved, resume, suspend } from '#features/organisation/server/organisations.service.ts'
import { getReportCode } from '#features/self-report/calls.ts'
import { login } from '#features/sign-in/calls/sign-in.ts'
import { post } from '#server/testing/post.ts'
import { runCommand } from '#server/testing/run-command.ts'
import { test } from '#server/testing/server-test.ts'
import { secretKey, type TestServer } from '#server/testing/test-server.ts'
import { codeOf } from './whole/whole.fixture.ts'

const newAddress = 'https://new.evac.test'

/** An organisation without an event, its code, and a warden of it who can manage events. */
async function organisation(server: TestServer) {
  const org = await server.given.organisation()
  const chief = await server.given.warden(org, { role: 'Chief Warden' })
  return { org, chief, code: await codeOf(server, org.clientUid) }
}

const signIn = (server: TestServer, email: string, password = 'evacuate1') =>
  post(server, login.path, { email, password })

test('CELL-04 who signs in at the old address is sent to the new one, by the password of before alone', async ({
  server,
}) => {
  const { chief, code } = await organisation(server)
  await suspend(server.db, code, { evenInEvent: false })

  expect(await noteMoved(server.db, code, newAddress)).toBe('done')

  const sent = { error: 'elsewhere', message: `You sign in at ${newAddress}.`, address: newAddress }
  expect(await signIn(server, chief.email)).toEqual({ status: 409, body: sent })
  expect(await signIn(server, chief.email, 'not this one')).toMatchObject({
    status: 400,
    body: { error: 'invalid_credentials' },
  })
})

test('CELL-04 who is also in an organisation that has stayed signs in there', async ({ server }) => {
  const { chief, code } = await organisation(server)
  const stayed = await server.given.warden(await server.given.organisation(), { username: 'Two.Homes' })
  await server.db
    .updateTable('account')
    .set({ username: 'Two.Homes.Before' })
    .where('uid', '=', chief.accountUid)
    .execute()
  await suspend(server.db, code, { evenInEvent: false })
  await noteMoved(server.db, code, newAddress)
  await server.db.updateTable('account').set({ username: 'Two.Homes' }).where('uid', '=', chief.accountUid).execute()

  expect(await signIn(server, 'two.homes')).toMatchObject({ status: 200, body: { Person_UID: stayed.personUid } })
})

test('CELL-04 a poster on the wall leads to the same page at the new address', async ({ server }) => {
  const { org, chief, code } = await organisation(server)
  const manager = await server.as(chief)
  const poster = await manager(getReportCode, { query: { site: org.siteUid } })
  const path = new URL(poster.url).pathname
  await suspend(server.db, code, { evenInEvent: false })
  await noteMoved(server.db, code, newAddress)

  for (const method of ['GET', 'POST'] as const) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const page = await server.app.inject({
      method,
      url: path,
      ...(method === 'POST' && { headers, payload: 'say=help' }),
    })
    expect(page.statusCode).toBe(410)
    expect(textOf(page.body)).toMatch(/^This page has moved\. Open it at its new address Do you need help\?/)
    expect(page.body).toContain(`href="${newAddress}${path}"`)
  }
  const unknown = await server.app.inject({ method: 'GET', url: '/s/aaaaaaaa' })
  expect(unknown.statusCode).toBe(404)
})

test('CELL-04 only a suspended organisation without an event has moved, and one that has is not resumed', async ({
  server,
}) => {
  const { org, code } = await organisation(server)

  expect(await noteMoved(server.db, code, newAddress)).toBe('active')
  expect(await noteMoved(server.db, 'NOBODY', newAddress)).toBe('unknown')
  await server.runningEvent(org)
  await suspend(server.db, code, { evenInEvent: true })
  expect(await noteMoved(server.db, code, newAddress)).toBe('event')
  await server.db.updateTable('event').set({ endedAt: new Date() }).where('clientUid', '=', org.clientUid).execute()
  expect([await noteMoved(server.db, code, newAddress), await noteMoved(server.db, code, newAddress)]).toEqual([
    'done',
    'done',
  ])
  expect(await resume(server.db, code)).toBe('moved')
  expect([await noteMoved(server.db, code, null), await resume(server.db, code)]).toEqual(['done', 'done'])

  const told = (await server.journalOf(org.clientUid)).map(({ action, after }) => [action, after])
  expect(told).toEqual([
    ['organisation_suspended', null],
    ['organisation_moved', { to: newAddress }],
    ['organisation_moved_back', null],
    ['organisation_resumed', null],
  ])
})

test('CELL-04 the operator names the new address', { timeout: 60_000 }, async ({ server }) => {
  const { code } = await organisation(server)
  process.env.SECRET_KEY = secretKey
  const run = (...words: string[]) => runCommand('commands/organisation-main.ts', server.database, ...words)
  await suspend(server.db, code, { evenInEvent: false })

  expect(await run('moved', code, '--to', 'http://new.evac.test')).toMatchObject({ code: 1 })
  expect(await run('moved', code)).toMatchObject({ code: 2 })
  expect(await run('moved', code, '--to', newAddress)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`people who come here are sent to ${newAddress}`),
  })
  expect((await run('list')).stdout).toMatch(new RegExp(`^${code}, .*moved to ${newAddress}$`, 'm'))
  expect(await run('resume', code)).toMatchObject({ code: 1, stderr: expect.stringContaining('has moved') })
})

import { expect } from 'vitest'
import { isOver } from '#features/live-updates/server/realtime.service.ts'
import { requestPasswordReset } from '#features/sign-in/calls/password-reset.ts'
import {
  getProfile,
  loginByMobile,
  rejoin,
  verifyLoginByMobile,
  verifyLoginReportIn,
} from '#features/sign-in/calls/sign-in.ts'
import { refused } from '#server/testing/refused.ts'
import { runCommand } from '#server/testing/run-command.ts'
import { test } from '#server/testing/server-test.ts'
import { sendTexts, textsOn, tokenIn } from '#server/testing/texts.ts'
import { resume, suspend } from './organisations.service.ts'

const mobile = '61491570156'

test('AUTH-04 no one in a suspended organisation comes in by any door, and everyone does once it is resumed', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org, { mobile })
  const { eventUid } = await server.runningEvent(org, { alertToWarden: 'yes' })
  await sendTexts(server)
  const reportInToken = tokenIn((await textsOn(server, mobile))[0])
  const onDuty = await server.onDuty(warden)
  await server.stranger(loginByMobile, { body: { phone: mobile } })
  await sendTexts(server)
  const mobileToken = tokenIn((await textsOn(server, mobile)).at(-1))
  const { code } = await server.db
    .selectFrom('client')
    .select('code')
    .where('uid', '=', org.clientUid)
    .executeTakeFirstOrThrow()

  expect(await suspend(server.db, code, { evenInEvent: false })).toBe('event')
  const sub = (await server.signInOf(eventUid, warden))?.uid as string
  const { uid: sid } = await server.db
    .selectFrom('session')
    .select('uid')
    .where('personUid', '=', warden.personUid)
    .where('isReportInToken', '=', false)
    .executeTakeFirstOrThrow()
  expect(await isOver(server.app, { sub, sid })).toBe(false)
  expect(await suspend(server.db, code, { evenInEvent: true })).toBe('done')

  const doors = {
    socket: await isOver(server.app, { sub, sid }),
    session: await refused(onDuty(getProfile, {})),
    rejoin: await refused(onDuty(rejoin, { body: { person_uid: warden.personUid } })),
    password: await refused(server.signIn(warden.email)),
    newLink: (await server.stranger(loginByMobile, { body: { phone: mobile } })).mobile,
    link: (await server.stranger(verifyLoginByMobile, { body: { token: mobileToken } })).tokenStatus,
    reportInLink: (await server.stranger(verifyLoginReportIn, { body: { token: reportInToken } })).tokenStatus,
  }
  await server.stranger(requestPasswordReset, { body: { email: warden.email } })
  expect(doors).toEqual({
    socket: true,
    session: ['not_signed_in'],
    rejoin: ['not_signed_in'],
    password: ['unauthorized_access'],
    newLink: 'invalid',
    link: 'expired',
    reportInLink: 'invalid-notfound',
  })
  expect(await server.db.selectFrom('passwordReset').selectAll().where('accountUid', 'is not', null).execute()).toEqual(
    [],
  )

  expect(await resume(server.db, code)).toBe('done')
  expect(await server.signIn(warden.email)).toMatchObject({ token_type: 'Bearer' })
})

test('HUB-11 a suspension ends every session of the organisation and of no other, and the journal tells of it', async ({
  server,
}) => {
  const [org, other] = [await server.given.organisation(), await server.given.organisation()]
  const [call, elsewhere] = [
    await server.as(await server.given.warden(org)),
    await server.as(await server.given.warden(other)),
  ]
  const { code } = await server.db
    .selectFrom('client')
    .select('code')
    .where('uid', '=', org.clientUid)
    .executeTakeFirstOrThrow()

  await suspend(server.db, code, { evenInEvent: false })
  await suspend(server.db, code, { evenInEvent: false })
  await resume(server.db, code)

  expect(await refused(call(getProfile, {}), elsewhere(getProfile, {}))).toEqual(['not_signed_in', 'answered'])
  const told = await server.db
    .selectFrom('journal')
    .select('action')
    .where('clientUid', '=', org.clientUid)
    .orderBy('position')
    .execute()
  expect(told.map(({ action }) => action)).toEqual(['organisation_suspended', 'session_ended', 'organisation_resumed'])
})

test('AUTH-06 the command lists organisations, suspends one, and says how it is called', async ({ server }) => {
  const org = await server.given.organisation()
  const { code } = await server.db
    .selectFrom('client')
    .select('code')
    .where('uid', '=', org.clientUid)
    .executeTakeFirstOrThrow()
  const run = (...args: string[]) => runCommand('commands/organisation-main.ts', server.database, ...args)

  expect(await run('suspend', 'NOBODY')).toMatchObject({ code: 1, stderr: "No organisation has the code 'NOBODY'.\n" })
  expect(await run('suspend', code)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`\n${code} is suspended.\n`),
  })
  expect((await run('list')).stdout).toMatch(new RegExp(`^${code}, .*, suspended$`, 'm'))
  expect(await run('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage: npm run organisation') })
  expect(await run('suspend')).toMatchObject({ code: 2, stderr: expect.stringContaining('Usage:') })
})

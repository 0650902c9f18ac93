import { getChannelToken } from '@evac/contract/realtime.ts'
import { describe, expect } from 'vitest'
import type { Organisation } from '../../testing/given-places.ts'
import { test as base } from '../../testing/server-test.ts'
import type { TestServer } from '../../testing/test-server.ts'
import { newToken } from '../secrets.ts'
import { bearer, calls, letThrough, seenAt, signedInCalls, tryDoor } from './ask.fixture.ts'

/** A chief warden on duty with every module: only the token can be what is wrong. */
const test = base.extend('tokens', { scope: 'file' }, async ({ server }) => {
  const org = await server.given.organisation()
  const [warden, ofAccount, ofPerson] = [await chief(server, org), await chief(server, org), await chief(server, org)]
  const { manager } = await server.runningEvent(org)
  const [{ token }, ofNoAccount, ofNobody] = [
    await server.onDuty(warden),
    await server.onDuty(ofAccount),
    await server.onDuty(ofPerson),
  ]
  await switchOff(server, 'account', ofAccount.accountUid)
  await switchOff(server, 'person', ofPerson.personUid)

  const closed = await server.given.organisation()
  const ofClosed = await chief(server, closed)
  await server.runningEvent(closed)
  const ofNoClient = await server.onDuty(ofClosed)
  await switchOff(server, 'client', closed.clientUid)

  const headers: Record<Wrong, Record<string, string>> = {
    'no token': {},
    'an empty header': { authorization: '' },
    garbage: bearer('garbage'),
    'a token that nobody has': bearer(newToken()),
    'a token without its type': { authorization: token },
    'another type': { authorization: `Basic ${token}` },
    'a token and a bit': bearer(`${token}x`),
    'a token in other letters': bearer(token.toUpperCase()),
    'an expired token': bearer((await server.as(warden, { expiresAt: new Date(Date.now() - 1) })).token),
    'a revoked token': bearer((await server.as(warden, { revokedAt: new Date() })).token),
    'the real-time token': bearer((await manager(getChannelToken, {})).token),
    'the token of an account that was switched off': bearer(ofNoAccount.token),
    'the token of a person who was switched off': bearer(ofNobody.token),
    'a token of a client that was switched off': bearer(ofNoClient.token),
  }
  return { headers, right: bearer(token) }
})

const chief = ({ given }: TestServer, org: Organisation) => given.warden(org, { role: 'Chief Warden' })

const switchOff = ({ db }: TestServer, table: 'account' | 'person' | 'client', uid: string) =>
  db.updateTable(table).set({ active: false }).where('uid', '=', uid).execute()

const wrongs = [
  'no token',
  'an empty header',
  'garbage',
  'a token that nobody has',
  'a token without its type',
  'another type',
  'a token and a bit',
  'a token in other letters',
  'an expired token',
  'a revoked token',
  'the real-time token',
  'the token of an account that was switched off',
  'the token of a person who was switched off',
  'a token of a client that was switched off',
] as const
type Wrong = (typeof wrongs)[number]

describe.for(wrongs)('PROD-05 SESSION-20 T2 with %s', (wrong) => {
  test.for(signedInCalls)('$name is 401', async (call, { server, tokens }) => {
    const answer = await tryDoor(server, call, tokens.headers[wrong])

    expect(`${call.name}: ${answer.code}`).toBe(`${call.name}: 401 not_signed_in`)
  })
})

const signedCalls = calls.filter(({ policy }) => policy.access === 'public' && policy.signed)

test.for(calls.filter((call) => !signedCalls.includes(call)))(
  'PROD-05 with the right token $name is let through',
  async (call, { server, tokens }) => {
    expect(seenAt(await tryDoor(server, call, tokens.right))).toBe(letThrough)
  },
)

test('T19 signed by who makes them are the calls of gateways', () => {
  expect(signedCalls.map(({ name }) => name).sort()).toEqual([
    'receiveText',
    'receiveTwilioStatus',
    'receiveTwilioText',
  ])
})

test.for(signedCalls)(
  'T19 $name asks for a signature, and no token stands in for it',
  async (call, { server, tokens }) => {
    expect((await tryDoor(server, call)).code).toBe('403 forbidden')
    expect((await tryDoor(server, call, tokens.right)).code).toBe('403 forbidden')
  },
)

const publicCalls = calls.filter(({ policy }) => policy.access === 'public' && !policy.signed)

test('PROD-05 public are signing in, its links, setting a new password, health, and the simulator: nothing else', () => {
  expect(publicCalls.map(({ name }) => name).sort()).toEqual([
    'health',
    'listSimulatedMails',
    'listSimulatedPhones',
    'listSimulatedTexts',
    'login',
    'loginByMobile',
    'requestPasswordReset',
    'resetPassword',
    'sendSimulatedReply',
    'verifyLoginByMobile',
    'verifyLoginReportIn',
  ])
})

test.for(publicCalls)('PROD-05 $name asks for no token', async (call, { server }) => {
  expect((await tryDoor(server, call)).code).toMatch(/^(200|422 invalid_request)$/)
})

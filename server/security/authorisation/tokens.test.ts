import { expect } from 'vitest'
import { test as base } from '../../testing/server-test.ts'
import { calls, consoleCalls, letThrough, seenAt, tryCall } from './ask.fixture.ts'
import { givenTokens } from './tokens.fixture.ts'

const test = base.extend('tokens', { scope: 'file' }, async ({ server }) => givenTokens(server))

const signedCalls = calls.filter(({ policy }) => policy.access === 'public' && policy.signed)

const observerCalls = calls.filter(({ policy }) => policy.access === 'observer')
const ofOthers = [...signedCalls, ...consoleCalls, ...observerCalls]

test.for(observerCalls)(
  "AAR-30 T2 no token of someone signed in opens an observer's $name",
  async (call, { server, tokens }) => {
    expect((await tryCall(server, call)).code).toBe('401 not_signed_in')
    expect((await tryCall(server, call, tokens.right)).code).toBe('401 not_signed_in')
    const made = { authorization: tokens.right.authorization.replace('Bearer', 'Observer') }
    expect((await tryCall(server, call, made)).code).toBe('403 link_ended')
  },
)

test.for(calls.filter((call) => !ofOthers.includes(call)))(
  'PROD-05 $name lets the right token through',
  async (call, { server, tokens }) => {
    expect(seenAt(await tryCall(server, call, tokens.right))).toBe(letThrough)
  },
)

test('T19 calls of gateways and of other cells are authenticated by signature', () => {
  expect(signedCalls.map(({ name }) => name).sort()).toEqual([
    'answerCell',
    'receiveText',
    'receiveTwilioCall',
    'receiveTwilioKey',
    'receiveTwilioStatus',
    'receiveTwilioText',
  ])
})

test.for(signedCalls)('T19 $name requires a signature, and no token replaces it', async (call, { server, tokens }) => {
  expect((await tryCall(server, call)).code).toBe('403 forbidden')
  expect((await tryCall(server, call, tokens.right)).code).toBe('403 forbidden')
})

const publicCalls = calls.filter(({ policy }) => policy.access === 'public' && !policy.signed)

test('PROD-05 only sign-in, its links, setting a password, the set-up, health, what checks a record, walls, and the simulator are public', () => {
  expect(publicCalls.map(({ name }) => name).sort()).toEqual([
    'acceptInvitation',
    'actOnSimulatedCall',
    'confirmEnrolment',
    'getLogOfHeads',
    'getRecordChecker',
    'getSimulatedCall',
    'giveCode',
    'health',
    'listLogKeys',
    'listSimulatedCodes',
    'listSimulatedMails',
    'listSimulatedPhones',
    'listSimulatedTexts',
    'login',
    'loginByMobile',
    'readInvitation',
    'readWall',
    'requestPasswordReset',
    'resetPassword',
    'sendSimulatedReply',
    'setUp',
    'signInToConsole',
    'startEnrolment',
    'verifyLoginByMobile',
    'verifyLoginReportIn',
  ])
})

test.for(publicCalls)('PROD-05 $name needs no token', async (call, { server }) => {
  expect((await tryCall(server, call)).code).toMatch(/^(200|422 invalid_request)$/)
})

import { expect, test } from 'vitest'
import type { ClientUid } from '#kernel/ids.ts'
import { authReply, someAssignment, someSignIn, storedAuth } from '../testing/stored-auth.ts'
import { authFromLink, authFromPassword, authFromRejoin } from './auth-from-reply.ts'
import { eventFlags } from './event-flags.ts'
import { clearAuth, getAuth, getStoredProfile, profileFrom, setAuth, setProfile, updateAuth } from './stored-auth.ts'

test('SESSION-01 the stored token is token type, space, token', () => {
  setAuth(authFromPassword(authReply({ access_token: 'abc' }), 'Email'))
  expect(JSON.parse(localStorage.getItem('auth') ?? '').access_token).toBe('Bearer abc')
})

test("SESSION-02, CONST-09 both link flows prefix 'Bearer ' and set the method Mobile", () => {
  expect(authFromLink(authReply({ access_token: 'abc' }), false)).toMatchObject({
    access_token: 'Bearer abc',
    signInMethod: 'Mobile',
    isReportInToken: false,
  })
})

test('SESSION-03, SESSION-05, SESSION-06, SESSION-08, SESSION-09 what a report-in link stores', () => {
  const reply = authReply({ peer_email: 'a@b.test', on_duty: false })
  expect(authFromLink(reply, true)).toEqual({
    ...reply,
    access_token: 'Bearer token-1',
    signInMethod: 'Mobile',
    isReportInToken: true,
    reportInDetails: null,
    reportInDetailsOf: null,
  })
  expect(reply).toMatchObject({ WardenSignInUID: someSignIn, event: { status: true, goToReportInListPage: false } })
})

const details = {
  clientSite: 'A - B',
  role: 'Floor Warden',
  area: 'L1',
  dateFrom: '2026-01-01',
  dateTo: '2026-02-01',
}

test.each(['Email', 'Username'] as const)('SESSION-04 method %s is stored and survives a rejoin', (method) => {
  const chosen = { reportInDetails: details, reportInDetailsOf: someAssignment }
  const before = { ...authFromPassword(authReply(), method), isReportInToken: true, ...chosen }
  expect(authFromRejoin(authReply({ access_token: 'new' }), before)).toMatchObject({
    access_token: 'Bearer new',
    signInMethod: method,
    isReportInToken: true,
    ...chosen,
  })
})

test('SESSION-07 the details of the chosen card are stored', () => {
  setAuth(storedAuth())
  updateAuth({ reportInDetails: details })
  expect(getAuth()?.reportInDetails).toEqual(details)
})

test('SESSION-11 the profile is stored under its own names', () => {
  const reply = {
    Firstname: 'Grace',
    Lastname: 'Okafor',
    Email: 'chief@harbour.test',
    Mobile: '61491000001',
    Is_Client_Master: false,
    Client_UID: 'c1' as ClientUid,
    Primary_Location_Floor_UID: null,
  }
  setProfile(profileFrom(reply))
  expect(getStoredProfile()).toEqual({
    firstname: 'Grace',
    lastname: 'Okafor',
    email: 'chief@harbour.test',
    mobile: '61491000001',
    client_master: false,
    client_uid: 'c1',
    primary_floor_uid: null,
  })
})

test('SESSION-10, SESSION-17 clearing keeps the lock of the mobile form', () => {
  setAuth(storedAuth())
  localStorage.setItem('me', '{}')
  localStorage.setItem('lockStartTime', '123')

  clearAuth()

  expect({ ...localStorage }).toEqual({ lockStartTime: '123' })
})

test.each(['', '{', '"text"', '{}', '{"access_token":"x"}'])(
  'SESSION-22 stored auth with the content %s counts as missing',
  (text) => {
    localStorage.setItem('auth', text)
    expect(getAuth()).toBeNull()
  },
)

test('SESSION-17 a late reply does not bring a cleared session back', () => {
  setAuth(storedAuth())
  clearAuth()
  updateAuth({ on_duty: true })
  expect(localStorage.getItem('auth')).toBeNull()
})

test.each([
  ['SESSION-13', 'start', { status: true, goToReportInListPage: false }],
  ['SESSION-14', 'end', { status: false, goToReportInListPage: true }],
  ['SESSION-15', 'anything else', { status: false, goToReportInListPage: false }],
])('%s event flags on %s', (_, change, wanted) => {
  expect(eventFlags(change)).toEqual(wanted)
})

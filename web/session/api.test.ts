import { expect, test, vi } from 'vitest'
import { getReportData, listReportInCards, logSignIn } from '#features/duty/calls/report-in.ts'
import { getChannels, pollEvent } from '#features/live-updates/calls/realtime.ts'
import { getProfile, login, logout, rejoin, verifyLoginReportIn } from '#features/sign-in/calls/sign-in.ts'
import { browser } from '../lib/browser.ts'
import { cutOff, fakeServer, refused } from '../testing/fake-server.ts'
import { authReply, storedAuth } from '../testing/stored-auth.ts'
import { askAhead, call, type EarlyRequest } from './api.ts'
import { eventFlags } from './event-flags.ts'
import { conclusionStore } from './event-notices.ts'
import { takeSignedOut } from './session-end.ts'
import { clearAuth, getAuth, setAuth, updateAuth } from './stored-auth.ts'

const noCards = () => []

test('API-01, API-02 every request sends the stored token unchanged, and JSON in both directions', async () => {
  const server = fakeServer()
  server.answer(listReportInCards, noCards)
  setAuth(storedAuth({ access_token: 'Bearer abc' }))

  await call(listReportInCards, { query: { signInMethod: 'Email' } })

  const [request] = server.received(listReportInCards)
  expect(Object.fromEntries(request?.headers ?? [])).toEqual({
    accept: 'application/json',
    'content-type': 'application/json',
    authorization: 'Bearer abc',
  })
  expect(request?.url).toBe('/api/warden/reportInCardJson?signInMethod=Email')
})

test('LOGIN-56 T30 the device token outlives a session and is sent only with the next sign-in', async () => {
  const sent: (string | null)[] = []
  vi.stubGlobal('fetch', async (_: string, { headers }: RequestInit) => {
    sent.push(new Headers(headers).get('evac-device'))
    return Response.json({}, { headers: { 'evac-device': 'this phone' } })
  })
  const signIn = () => call(login, { body: { email: 'ada', password: 'evacuate1' } })

  await signIn()
  setAuth(storedAuth())
  await call(getProfile, {})
  clearAuth()
  await signIn()

  expect(sent).toEqual([null, null, 'this phone'])
})

/** As boot.js leaves it. */
function alreadyAsked(early: Partial<EarlyRequest>) {
  const one = {
    url: '/api/user',
    authorization: 'Bearer abc',
    body: undefined,
    until: Date.now() + 1000,
    stop: vi.fn(),
  }
  vi.stubGlobal('asked', [{ ...one, answer: Promise.resolve(Response.json(profile)), ...early }])
}
const profile = { Firstname: 'Ada' }

/** A server that answers otherwise than boot.js has heard. */
function laterServer() {
  const server = fakeServer()
  server.answer(getProfile, () => ({ ...profile, Firstname: 'Bo' }) as never)
  setAuth(storedAuth({ access_token: 'Bearer abc' }))
  return server
}

test('AMB-007 a request that boot.js has made is not repeated; the next one is sent', async () => {
  const server = laterServer()
  alreadyAsked({})

  expect(await call(getProfile, {})).toEqual(profile)
  expect(server.received(getProfile)).toHaveLength(0)
  expect(await call(getProfile, {})).toMatchObject({ Firstname: 'Bo' })
})

test.for<[string, () => Partial<EarlyRequest>]>([
  ['for another address', () => ({ url: '/api/user/other' })],
  ['for another session', () => ({ authorization: 'Bearer old' })],
  ['to another body', () => ({ body: '{}' })],
  ['older than it may be', () => ({ until: Date.now() - 1 })],
  ['that never came', () => ({ answer: Promise.reject(new TypeError('Failed to fetch')) })],
])('AMB-007 an answer %s is not used', async ([, early]) => {
  laterServer()
  alreadyAsked(early())

  expect(await call(getProfile, {})).toMatchObject({ Firstname: 'Bo' })
})

test('LOGIN-05 the check of a link that boot.js has made is not repeated, and serves no other link', async () => {
  const server = fakeServer()
  server.answer(verifyLoginReportIn, { tokenStatus: 'invalid-notfound' })
  const answer = Promise.resolve(Response.json({ tokenStatus: 'invalid-concluded' }))
  const url = verifyLoginReportIn.path
  alreadyAsked({ url, authorization: undefined, body: JSON.stringify({ token: 'a' }), answer })
  const check = (token: string) => call(verifyLoginReportIn, { body: { token } })

  expect(await check('b')).toEqual({ tokenStatus: 'invalid-notfound' })
  expect(await check('a')).toEqual({ tokenStatus: 'invalid-concluded' })
  expect(await check('a')).toEqual({ tokenStatus: 'invalid-notfound' })
})

test('LIST-36 a read that was made ahead is not repeated within 2 seconds, and is made anew after them', async () => {
  vi.useFakeTimers()
  const server = fakeServer()
  server.answer(listReportInCards, noCards)
  setAuth(storedAuth())
  const read = () => call(listReportInCards, { query: { signInMethod: 'Email' } })
  const ahead = () => askAhead('GET /api/warden/reportInCardJson', { query: { signInMethod: 'Email' } })

  await ahead()
  vi.advanceTimersByTime(2000)
  expect(await read()).toEqual([])
  expect(server.received(listReportInCards)).toHaveLength(1)

  await ahead()
  vi.advanceTimersByTime(2001)
  expect(await read()).toEqual([])
  expect(server.received(listReportInCards)).toHaveLength(3)
  vi.useRealTimers()
})

test('LIST-36 a read that was made ahead within the last second is not made ahead again', async () => {
  vi.useFakeTimers()
  const server = fakeServer()
  server.answer(listReportInCards, noCards)
  setAuth(storedAuth())
  const ahead = () => askAhead('GET /api/warden/reportInCardJson', { query: { signInMethod: 'Email' } })

  await ahead()
  vi.advanceTimersByTime(999)
  await ahead()
  expect(server.received(listReportInCards)).toHaveLength(1)
  vi.advanceTimersByTime(1)
  await ahead()
  expect(server.received(listReportInCards)).toHaveLength(2)
  vi.useRealTimers()
})

test('UI each write carries a new key, or the one it was given', async () => {
  const server = fakeServer()
  server.answer(logSignIn, refused('forbidden'))
  const write = (headers?: Record<string, string>) =>
    call(logSignIn, { body: null }, headers && { headers }).catch(() => undefined)

  await write()
  await write()
  await write({ 'idempotency-key': 'mine' })

  const keys = server.received(logSignIn).map(({ headers }) => headers.get('idempotency-key'))
  expect(keys[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(keys[1]).not.toBe(keys[0])
  expect(keys[2]).toBe('mine')
})

test('SESSION-20 a 401 clears stored auth and sends the browser to /login', async () => {
  const load = vi.spyOn(browser, 'load').mockReturnValue()
  fakeServer().answer(getProfile, refused('not_signed_in'))
  setAuth(storedAuth())
  localStorage.setItem('me', '{}')

  await expect(call(getProfile, {})).rejects.toMatchObject({ code: 'not_signed_in', status: 401 })

  expect({ ...localStorage }).toEqual({})
  expect(load).toHaveBeenCalledExactlyOnceWith('/login')
  expect(takeSignedOut()).toBe(true)
})

test('SESSION-21 a 401 on an eventpoll address keeps the session', async () => {
  const load = vi.spyOn(browser, 'load').mockReturnValue()
  fakeServer().answer(pollEvent, refused('not_signed_in'))
  setAuth(storedAuth())

  await expect(call(pollEvent, {})).rejects.toMatchObject({ status: 401 })

  expect(getAuth()).not.toBeNull()
  expect(load).not.toHaveBeenCalled()
})

test('RT-25 SESSION-20 a 401 waits while the end of the event is being announced, and ends the session at the list', async () => {
  const load = vi.spyOn(browser, 'load').mockReturnValue()
  fakeServer().answer(getChannels, refused('not_signed_in'))
  setAuth(storedAuth({ event: eventFlags('end') }))

  await expect(call(getChannels, {})).rejects.toMatchObject({ status: 401 })
  expect([getAuth()?.access_token, load.mock.calls]).toEqual(['Bearer token-1', []])

  updateAuth({ event: eventFlags('list reached') })
  await expect(call(getChannels, {})).rejects.toMatchObject({ status: 401 })
  expect([getAuth(), load.mock.calls]).toEqual([null, [['/login']]])
})

const linkSession = () => storedAuth({ isReportInToken: true, on_duty: true })

test('RT-25 a link session that ended with its event stays until its notice has been read', async () => {
  const load = vi.spyOn(browser, 'load').mockReturnValue()
  const server = fakeServer()
  server.answer(getProfile, refused('not_signed_in'))
  server.answer(pollEvent, { status: 'ok', message: null, event: { status: false, ended_by: null } })
  setAuth(linkSession())

  await Promise.allSettled([call(getProfile, {}), call(getProfile, {})])

  expect([conclusionStore.get(), load.mock.calls]).toEqual([true, []])
  expect(getAuth()).toMatchObject({ on_duty: false, event: eventFlags('end') })
})

test.each([
  ['ended for another reason', refused('not_signed_in')],
  ['whose reason cannot be fetched', cutOff],
])('RT-25 SESSION-20 a link session that %s ends at /login', async (_, answer) => {
  const load = vi.spyOn(browser, 'load').mockReturnValue()
  const server = fakeServer()
  server.answer(getProfile, refused('not_signed_in'))
  server.answer(pollEvent, answer)
  setAuth(linkSession())

  await expect(call(getProfile, {})).rejects.toMatchObject({ status: 401 })

  expect([getAuth(), load.mock.calls]).toEqual([null, [['/login']]])
})

test('SESSION-20 a 401 for a token that was replaced meanwhile keeps the new session', async () => {
  const load = vi.spyOn(browser, 'load').mockReturnValue()
  fakeServer().answer(getChannels, () => {
    setAuth(storedAuth({ access_token: 'Bearer after-rejoin' }))
    return refused('not_signed_in')
  })
  setAuth(storedAuth({ access_token: 'Bearer before' }))

  await expect(call(getChannels, {})).rejects.toMatchObject({ status: 401 })

  expect(getAuth()?.access_token).toBe('Bearer after-rejoin')
  expect(load).not.toHaveBeenCalled()
})

/** A rejoin was sent and has ended the stored token, but its answer was lost. */
function withLostRejoin() {
  const server = fakeServer()
  setAuth(storedAuth({ rejoining: { key: 'lost', body: { oauth_token: 'card' } } }))
  server.answer(rejoin, ({ headers, input }) => {
    expect([headers.get('idempotency-key'), input.body]).toEqual(['lost', { oauth_token: 'card' }])
    return authReply({ access_token: 'token-2' })
  })
  const isDead = (headers: Headers) => headers.get('authorization') === 'Bearer token-1'
  return { server, isDead, load: vi.spyOn(browser, 'load').mockReturnValue() }
}

test('F7 SESSION-20 a 401 after a lost rejoin repeats the rejoin, then the read', async () => {
  const { server, isDead, load } = withLostRejoin()
  server.answer(getProfile, ({ headers }) => (isDead(headers) ? refused('not_signed_in') : (profile as never)))

  expect(await call(getProfile, {})).toEqual(profile)

  expect(getAuth()).toMatchObject({ access_token: 'Bearer token-2' })
  expect(getAuth()?.rejoining).toBeUndefined()
  expect(load).not.toHaveBeenCalled()
})

test('F7 a write rejected because of a lost rejoin is not sent again as someone else', async () => {
  const { server, isDead } = withLostRejoin()
  server.answer(logSignIn, ({ headers }) => refused(isDead(headers) ? 'not_signed_in' : 'forbidden'))

  await expect(call(logSignIn, { body: null })).rejects.toMatchObject({ status: 401 })

  expect(server.received(logSignIn)).toHaveLength(1)
  expect(getAuth()?.access_token).toBe('Bearer token-2')
})

test('F7 twenty simultaneous reads after a lost rejoin are all answered', async () => {
  const { server, isDead, load } = withLostRejoin()
  server.answer(getProfile, ({ headers }) => (isDead(headers) ? refused('not_signed_in') : (profile as never)))

  const answers = await Promise.all(Array.from({ length: 20 }, () => call(getProfile, {})))

  expect(answers).toEqual(Array.from({ length: 20 }, () => profile))
  expect(load).not.toHaveBeenCalled()
})

test('F7 an answer to a lost rejoin after signing out brings no session back', async () => {
  const { server } = withLostRejoin()
  server.answer(getProfile, refused('not_signed_in'))
  server.answer(rejoin, () => {
    clearAuth()
    return authReply({ access_token: 'token-2' })
  })

  await expect(call(getProfile, {})).rejects.toMatchObject({ status: 401 })

  expect(getAuth()).toBeNull()
})

test('API-72 an error reply is reported as its code, a missing reply as unreachable', async () => {
  const server = fakeServer()
  server.answer(getReportData, refused('forbidden', 'No'))
  await expect(call(getReportData, {})).rejects.toMatchObject({ code: 'forbidden', message: 'No', status: 403 })

  server.answer(getReportData, cutOff)
  await expect(call(getReportData, {})).rejects.toMatchObject({ code: 'unreachable', status: 0 })
})

test('AMB-022 an error reply with its code in `message` only is an error reply; any other text there comes from a proxy', async () => {
  const answer = (message: string) => vi.stubGlobal('fetch', async () => Response.json({ message }, { status: 403 }))
  answer('unauthorized_access')
  await expect(call(getReportData, {})).rejects.toMatchObject({ code: 'unauthorized_access', status: 403 })
  answer('Forbidden')
  await expect(call(getReportData, {})).rejects.toMatchObject({ code: 'unreachable' })
})

test.each([
  ['a captive portal', 200, 'unreachable'],
  ['a proxy without its server', 502, 'unavailable'],
])('API-72 the web page of %s is not accepted as a reply', async (_, status, code) => {
  vi.stubGlobal('fetch', async () => new Response('<html>', { status }))
  await expect(call(logout, {})).rejects.toMatchObject({ code })
})

test('UI a call times out after 10 seconds', async () => {
  vi.useFakeTimers()
  fakeServer().answer(getProfile, () => new Promise(() => undefined))
  const outcome = call(getProfile, {}).catch((error) => error.code)

  await vi.advanceTimersByTimeAsync(9_999)
  expect(await Promise.race([outcome, 'waiting'])).toBe('waiting')
  await vi.advanceTimersByTimeAsync(1)
  expect(await outcome).toBe('unreachable')
  vi.useRealTimers()
})

test('AMB-007 a request made by boot.js times out after 10 seconds too', async () => {
  vi.useFakeTimers()
  setAuth(storedAuth({ access_token: 'Bearer abc' }))
  const { promise, reject } = Promise.withResolvers<Response>()
  const stop = () => reject(new DOMException('Stopped', 'AbortError'))
  alreadyAsked({ answer: promise, stop })
  const outcome = call(getProfile, {}).catch((error) => error.code)

  await vi.advanceTimersByTimeAsync(10_000)

  expect(await outcome).toBe('unreachable')
  vi.useRealTimers()
})

test('RT-14 a cancelled call is an AbortError, not a failure', async () => {
  fakeServer().answer(getChannels, () => new Promise(() => undefined))
  const cancel = new AbortController()
  const outcome = call(getChannels, {}, { signal: cancel.signal })

  cancel.abort()

  await expect(outcome).rejects.toMatchObject({ name: 'AbortError' })
})

import { connect } from 'node:net'
import { expect } from 'vitest'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { filterEvacuees } from '#features/evacuation/calls/safety.ts'
import { getProfile, login, loginByMobile } from '#features/sign-in/calls/sign-in.ts'
import { bearer } from '../security/authorisation/ask.fixture.ts'
import { test } from '../testing/server-test.ts'
import { startTestServer, type TestServer, testConfig } from '../testing/test-server.ts'

const codeOf = (answer: { statusCode: number; json(): { error?: string } }) =>
  `${answer.statusCode} ${answer.json().error ?? ''}`.trim()

const post = ({ app }: TestServer, call: { path: string }, payload: string, token?: string) =>
  app.inject({
    method: 'POST',
    url: call.path,
    payload,
    headers: { 'content-type': 'application/json', ...(token && bearer(token)) },
  })

async function onFloor(server: TestServer) {
  const org = await server.given.organisation()
  const [warden, other] = [await server.given.warden(org), await server.given.warden(org)]
  const [person, neighbour] = [
    await server.given.occupant(org),
    await server.given.occupant(org, { floorUid: org.otherFloorUid }),
  ]
  const { eventUid } = await server.runningEvent(org, { buildings: [org.buildingUid, org.otherBuildingUid] })
  return { org, person, neighbour, eventUid, call: await server.onDuty(warden), otherCall: await server.onDuty(other) }
}

test('T31 each call limits the size of its body, with or without a session', async ({ server }) => {
  const { call } = await onFloor(server)
  const large = JSON.stringify({ personId: 'x'.repeat(3000) })

  expect(codeOf(await post(server, setPersonStatus, large, call.token))).toBe('413 body_too_large')
  expect(codeOf(await post(server, setPersonStatus, large))).toBe('413 body_too_large')
  expect(codeOf(await post(server, login, JSON.stringify({ email: 'x'.repeat(20_000) })))).toBe('413 body_too_large')
  expect(codeOf(await post(server, filterEvacuees, large, call.token))).toBe('422 invalid_request')
})

test('T31 too many names and too many levels are rejected before parsing', async ({ server }) => {
  const { call } = await onFloor(server)
  const names = Array.from({ length: 1000 }, (_, n) => `"k${n}":1`).join(',')
  const brokenOff = (start: string) => `${start} and this is no JSON`

  expect(codeOf(await post(server, filterEvacuees, brokenOff(`{${names}`), call.token))).toBe('422 invalid_request')
  expect(codeOf(await post(server, login, brokenOff('['.repeat(500))))).toBe('422 invalid_request')
  expect(codeOf(await post(server, login, brokenOff('{"a":1')))).toBe('400 malformed_request')
})

test('T31 a warden who records on forty connections delays only themselves', async ({ server }) => {
  const { org, person, neighbour, eventUid, call, otherCall } = await onFloor(server)
  const hold = await server.hold('evacuee', (await server.evacueeOf(eventUid, person))?.uid as string)
  const flood = Array.from({ length: 40 }, () =>
    call(setPersonStatus, { body: { personId: person, floorId: org.floorUid, status: 'safe' } }),
  )
  await hold.waiting(1)

  const answer = await otherCall(setPersonStatus, {
    body: { personId: neighbour, floorId: org.otherFloorUid, status: 'safe' },
  })

  expect(answer.status).toBe('success')
  await hold.waiting(1)
  await hold.release()
  expect((await Promise.all(flood)).map(({ status }) => status)).toEqual(Array(40).fill('success'))
})

test("T31 requests above a session's limit never reach the database", async () => {
  let looks = 0
  const findActor = async () => {
    looks += 1
    return undefined
  }
  await using server = await startTestServer({ config: { ...testConfig, requestsPerMinute: 3 }, findActor })
  const { token } = await server.as(await server.given.warden(await server.given.organisation()))
  const ask = () => server.app.inject({ url: getProfile.path, headers: bearer(token) })

  const answers = []
  for (let n = 0; n < 10; n++) answers.push((await ask()).statusCode)

  expect(answers).toEqual([401, 401, 401, ...Array(7).fill(429)])
  expect(looks).toBe(3)
})

test('T31 junk from an address does not use up the limit of the public calls', async () => {
  await using server = await startTestServer({ config: { ...testConfig, requestsPerMinute: 3 } })
  const junk = () => server.app.inject({ url: getProfile.path, headers: bearer('x'.repeat(65)) })

  for (let n = 0; n < 6; n++) await junk()
  expect((await junk()).statusCode).toBe(429)

  const answer = await post(server, loginByMobile, JSON.stringify({ phone: '61400000000' }))
  expect(answer.statusCode).toBe(200)
})

test('T31 a rejected body is not read: a stranger who announces 90 kB gets an answer and is disconnected', async () => {
  await using server = await startTestServer()
  const url = new URL(await server.app.listen({ host: '127.0.0.1', port: 0 }))
  const ask = (path: string) => {
    const socket = connect(Number(url.port), url.hostname)
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 90000\r\n\r\n{"a":`,
    )
    return answerOf(socket)
  }

  for (const [path, status] of [
    [filterEvacuees.path, 401],
    [setPersonStatus.path, 413],
    [login.path, 413],
  ] as const)
    expect(await ask(path)).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*connection: close`, 'i'))
})

/** Everything received until the other side closes the connection. */
async function answerOf(socket: ReturnType<typeof connect>) {
  let text = ''
  for await (const data of socket) text += data
  return text
}

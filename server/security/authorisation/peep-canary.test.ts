import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { endPack, listPacks, makePack } from '#features/arrival-pack/calls.ts'
import { visitorOf } from '#features/arrival-pack/server/pack.fixture.ts'
import { makeWall, readWall } from '#features/board/calls/walls.ts'
import { wallPlaces } from '#features/board/kinds.ts'
import { listReportInCards, reportIn } from '#features/duty/calls/report-in.ts'
import { getChannelToken } from '#features/live-updates/calls/realtime.ts'
import { rejoin } from '#features/sign-in/calls/sign-in.ts'
import type { Call } from '#kernel/client/client.ts'
import { moduleFlags } from '#kernel/vocabulary.ts'
import type { Warden } from '../../testing/given-wardens.ts'
import { startServerWithSockets } from '../../testing/sockets.ts'
import { tablesWith } from '../../testing/tables-with.ts'
import { withKey } from '../../testing/test-server.ts'
import { givenConsoleWorld } from './administrators.fixture.ts'
import { ask, bearer, calls, consoleCalls, inputsOf, tryCall } from './ask.fixture.ts'
import { fill } from './call-inputs.fixture.ts'
import { uidsFor } from './own-uids.fixture.ts'
import { givenAddresses } from './strange-addresses.fixture.ts'

const canary = 'PEEP-CANARY'
/** The second number of everyone. */
const second = '61391234567'
type Server = Awaited<ReturnType<typeof startServerWithSockets>>

/** The list of an assignment's PEEPs, and the screens whose cards open a PEEP: floor evacuation, its status, safety. */
const mayShow = [
  ...['listAssignmentPeeps', 'changeFloor', 'getFloorData', 'listOccupants', 'searchOccupants'],
  ...['listFloorPeople', 'listFloorlessPeople', 'searchEventPeople', 'filterEvacuees', 'getSafetyData'],
  // for a reason that is recorded (PEEP-03)
  'openEventPlan',
  // the console's own page of a plan (PPL-30), and what is kept about a person (PPL-17)
  ...['getPlan', 'downloadPerson'],
]

/** A second number is for those who look after the person, and for no warden. The simulator exists in no production. */
const mayShowSecond = ['getPerson', 'downloadPerson', 'listSimulatedPhones']

/** These end what the other calls need, so they run last. */
const endings = [
  'createEvent',
  'logout',
  'markNotAvailable',
  'reportNotAvailable',
  'updateAssignmentStatus',
  'endEvent',
]
const isConsole = ({ name }: { name: string }) => consoleCalls.some((call) => call.name === name)
const lasting = calls.filter((call) => !endings.includes(call.name) && !isConsole(call))
const ending = endings.flatMap((name) => calls.filter((call) => call.name === name))

/** An event on whose floors everyone has a PEEP. */
async function givenPeeps(server: Server) {
  const { given, db } = server
  const org = await given.organisation()
  const evacuee = await given.occupant(org)
  await given.occupant(org, { floorUid: org.floors[1] })
  await given.visitor(org, { floorUid: null })
  const askers: Warden[] = [
    await given.warden(org, { role: 'Chief Warden', modules: moduleFlags }),
    await given.warden(org, { role: 'Building Warden', modules: moduleFlags }),
    await given.warden(org, { modules: moduleFlags }),
    await given.warden(org, { role: 'Chief Warden', modules: [] }),
  ]
  const receiver = await given.warden(org)
  await db
    .insertInto('peep')
    .columns(['clientUid', 'personUid', 'disability', 'assistance', 'other', 'summary'])
    .expression((eb) =>
      eb
        .selectFrom('person')
        .select(
          (of) =>
            [
              'clientUid',
              'uid',
              ...['disability', 'assistance', 'other', 'summary'].map((field) =>
                of.val(`${canary} ${field}`).as(field),
              ),
            ] as never,
        )
        .where('clientUid', '=', org.clientUid),
    )
    .execute()
  const giveSeconds = () =>
    db.updateTable('person').set({ secondMobile: second }).where('clientUid', '=', org.clientUid).execute()
  await giveSeconds()
  const { eventUid } = await server.runningEvent(org)
  const inConsole = async () => {
    const world = await givenConsoleWorld(server, org)
    await giveSeconds()
    return world
  }
  const ownOf = (asker: Warden) => uidsFor(server, { org, eventUid, evacuee, receiver }, asker)
  return { askers, inConsole, ownOf, event: { eventUid, personUid: evacuee } }
}

test('T21 BOARD-33 PACK-06 PEEP-08 REC-21 NUM-03 PEEP texts and second numbers are returned only by the calls of the screens that show them, and stored nowhere else', {
  timeout: 120_000,
}, async () => {
  await using server = await startServerWithSockets()
  const { askers, inConsole, ownOf, event } = await givenPeeps(server)
  const [shown, shownSecond] = [new Set<string>(), new Set<string>()]
  const [chief] = askers as [Warden]
  const { phone } = await server.connect(await server.onDuty(chief))
  using listener = await phone.ready()

  const askOne = async (call: (typeof calls)[number], token: string, own: Parameters<typeof fill>[1]) => {
    const headers = { ...bearer(token), 'idempotency-key': randomUUID() }
    const answer = await ask(server, call, fill(inputsOf(call), own), headers)
    const refusal = await tryCall(server, call, bearer(token))
    const told = `${answer.text}${refusal.text}`
    if (told.includes(canary)) shown.add(call.name)
    if (told.replace(/ /g, '').includes(second)) shownSecond.add(call.name)
  }
  const askAll = async (asker: Warden, asked: typeof calls) => {
    const own = await ownOf(asker)
    for (const call of asked) await askOne(call, (await server.as(asker)).token, own)
  }
  for (const asker of askers) {
    await server.onDuty(asker)
    await askAll(asker, lasting)
  }
  const own = await ownOf(chief)
  for (const call of consoleCalls) {
    const administrator = await inConsole()
    await askOne(call, administrator.token, { ...own, ...administrator.own })
  }
  for (const place of wallPlaces) {
    const body = { site: own.recordSite as never, name: 'Lobby', place, days: 1 }
    const { url } = await (await server.as(chief))(makeWall, { body })
    const wall = await server.stranger(readWall, { body: { token: url.split('#')[1] as string } })
    expect(wall).toMatchObject({ place, board: { floors: expect.any(Array) } })
    expect(JSON.stringify(wall)).not.toContain(canary)
  }
  const manager = await server.as(chief)
  const packs = await readPacks(server, manager)
  const reports = await readReports(server, event)
  await askAll(chief, ending)

  expect(packs.map((page) => [...new Set(page.match(/PEEP-CANARY \w+/g))])).toEqual([[`${canary} assistance`], []])
  expect(reports.map(({ status }) => status)).toEqual([200, 200, 200, 422, 200, 200, 200])
  expect(reports[0]?.body).toContain('Was going to help you')
  expect(JSON.stringify(reports)).not.toContain(canary)
  expect([...shown].sort()).toEqual(mayShow.toSorted())
  expect([...shownSecond].sort()).toEqual(mayShowSecond.toSorted())
  expect(JSON.stringify([packs, reports, listener.received])).not.toContain(second)
  await expect.poll(() => listener.received.length).toBeGreaterThan(5)
  expect(JSON.stringify(listener.received)).not.toContain(canary)
  expect(await server.app.metrics.registry.metrics()).not.toContain(canary)
  expect(await tablesWith(server, canary)).toEqual(['public.peep'])
})

/** PACK-06: a pack with the help people need, and one without. */
async function readPacks(server: Server, manager: Call): Promise<string[]> {
  const pages: string[] = []
  for (const { uid } of (await manager(listPacks, {})).packs) await manager(endPack, { params: { uid } }, withKey())
  for (const plans of ['yes', 'no'] as const) {
    const { url } = await manager(makePack, { body: { hours: 1, plans } }, withKey())
    const { get, post } = visitorOf(server)
    const start = await get(new URL(url).pathname)
    const own = String((await post(new URL(url).pathname, { name: 'Kim, Engine 4' })).headers.location)
    const { status, body } = await get(own)
    expect([status, start.body.includes(canary)]).toEqual([200, false])
    expect(JSON.stringify(await manager(listPacks, {}))).not.toContain(canary)
    pages.push(body)
  }
  return pages
}

/** PEEP-08, REC-21: who has seen a plan, and the pages on which people report, each with its answers. */
async function readReports(server: Server, event: Parameters<typeof givenAddresses>[1]) {
  const { notice, link, poster } = await givenAddresses(server, event)
  const { get, post } = visitorOf(server)
  return [
    ...[await get(notice), await get(link), await get(poster), await post(poster, { say: 'safe' })],
    await post(poster, { say: 'safe', name: 'Kim Lee' }),
    ...[await post(link, { say: 'help' }), await post(link, { say: 'safe' })],
  ]
}

test('T7 T12 no table contains a token in plain text', async () => {
  await using server = await startServerWithSockets()
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  await server.runningEvent(org)
  const { access_token } = await server.signIn(warden.email)
  const call = server.callWith(access_token)
  await call(reportIn, {}, withKey())
  const { token } = await call(getChannelToken, {}, withKey())
  const [card] = await call(listReportInCards, { query: { signInMethod: 'Email' } })
  const rejoined = await call(rejoin, { body: { oauth_token: card?.oauth_token as string } }, withKey())

  for (const secret of [access_token, token, card?.oauth_token, rejoined.access_token])
    expect(await tablesWith(server, String(secret))).toEqual([])
})

import { expect } from 'vitest'
import { listAssignments, withdrawAssignment } from '#features/assignments/calls/wardens.ts'
import { getCoverage } from '#features/coverage/calls/coming-days.ts'
import type { PersonUid } from '#kernel/ids.ts'
import { givenConsole } from '#server/testing/console-organisation.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { mergePeople } from '../../calls/duplicates.ts'
import { getPerson } from '../../calls/people.ts'

const day = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toLocaleDateString('en-CA', { timeZone: 'Australia/Sydney' })

type Status = 'Offered' | 'Accepted' | 'Declined' | 'Withdrawn'
/** Floor by its place in the organisation, last day, status. All begin on one day. */
type Given = [floor: 0 | 1 | 2, to: string, status?: Status]

async function merging(server: TestServer) {
  const at = await givenConsole(server)
  const { org, call } = at
  const from = day(-30)
  const warden = async ([floor, dateTo, status = 'Accepted']: Given, dateFrom = from) =>
    server.given.warden(org, { floorUid: org.floors[floor], dateFrom, dateTo, status })
  const versionOf = async (uid: PersonUid) => (await call(getPerson, { params: { uid } })).version
  const body = async (stays: PersonUid, goes: PersonUid) => ({
    stays,
    goes,
    take: [],
    stays_version: await versionOf(stays),
    goes_version: await versionOf(goes),
  })
  /** Floors with a warden who has accepted, and with one who was asked, on the day. */
  const covered = async (on: string) => {
    const { floors } = await call(getCoverage, { query: { site: org.siteUid, day: on } })
    const cells = floors.map(({ uid, cells }) => ({ at: org.floors.indexOf(uid as never), cells }))
    const where = (is: (cell: (typeof cells)[number]['cells'][number]) => boolean) =>
      cells.flatMap(({ at, cells }) => (at >= 0 && cells.some(is) ? [at] : [])).sort()
    return [where(({ accepted }) => accepted.length > 0), where(({ offered }) => offered > 0)]
  }
  const merge = async (stays: PersonUid, goes: PersonUid) =>
    call(mergePeople, { body: await body(stays, goes) }, withKey())
  return { ...at, from, warden, covered, merge, body }
}

const [soon, late, over] = [day(10), day(90), day(-5)]
/** Who stays, who goes, and the floors accepted and offered today and on the days after the sooner end. */
const cases: [string, Given, Given, [number[], number[]], [number[], number[]]][] = [
  ['two accepted for as long: the floors unite', [0, late], [1, late], [[0, 1], []], [[0, 1], []]],
  ['two accepted, who stays for longer', [0, late], [1, soon], [[0, 1], []], [[0], []]],
  ['two accepted, who goes for longer', [0, soon], [1, late], [[0, 1], []], [[1], []]],
  ['the same floor for longer', [0, soon], [0, late], [[0], []], [[0], []]],
  ['two offers unite', [0, late, 'Offered'], [1, late, 'Offered'], [[], [0, 1]], [[], [0, 1]]],
  ['an offer of who stays beside an acceptance', [0, late, 'Offered'], [1, late], [[1], [0]], [[1], [0]]],
  ['an offer of who goes beside an acceptance', [0, late], [1, late, 'Offered'], [[0], [1]], [[0], [1]]],
  ['an offer of the same floor for longer', [0, soon], [0, late, 'Offered'], [[0], []], [[], [0]]],
  ['who stays has declined', [0, late, 'Declined'], [1, late], [[1], []], [[1], []]],
  ['the offer of who stays was withdrawn', [0, late, 'Withdrawn'], [1, late], [[1], []], [[1], []]],
  ['that of who stays is over', [0, over], [1, late], [[1], []], [[1], []]],
  ['that of who goes is over', [0, late], [1, over], [[0], []], [[0], []]],
]

test.for(cases)(
  'PPL-93 of one role, site and first day no floor is lost: %s',
  async ([, stays, goes, today, later], { server }) => {
    const { warden, covered, merge, call } = await merging(server)
    const [one, other] = [await warden(stays), await warden(goes)]

    await merge(one.personUid, other.personUid)

    expect([await covered(day(0)), await covered(day(11))]).toEqual([today, later])
    const held = await call(listAssignments, { query: { person: one.personUid } })
    expect(held.rows.filter(({ state }) => state === 'accepted' || state === 'offered')).not.toEqual([])
  },
)

const [one, next] = [day(5), day(6)]
/** All begin on one day to come, as who takes a floor for a day or is asked for it: the floors of that day and of the next. */
const ofOneDay: [string, Given, Given, [number[], number[]], [number[], number[]]][] = [
  ['two taken for it: the floors unite', [0, one], [1, one], [[0, 1], []], [[], []]],
  ['one taken beside a long one of who stays', [0, late], [1, one], [[0, 1], []], [[0], []]],
  ['one taken beside a long one of who goes', [0, one], [1, late], [[0, 1], []], [[1], []]],
  ['two offers for it unite', [0, one, 'Offered'], [1, one, 'Offered'], [[], [0, 1]], [[], []]],
  ['an offer of the floor that the other has taken', [0, one, 'Offered'], [0, one], [[0], []], [[], []]],
]

test.for(ofOneDay)('PPL-93 of one day no floor is lost: %s', async ([, stays, goes, onDay, after], { server }) => {
  const { warden, covered, merge } = await merging(server)
  const [kim, ann] = [await warden(stays, one), await warden(goes, one)]

  await merge(kim.personUid, ann.personUid)

  expect([await covered(one), await covered(next)]).toEqual([onDay, after])
})

/** A second pair begins on the day after the shorter of the first one ends, as what goes on alone does: floors before and since. */
const besideAnother: [string, [Given, Given], [Given, Given], [number[], number[]], [number[], number[]]][] = [
  [
    'both had said no from then',
    [
      [0, late],
      [0, late, 'Declined'],
    ],
    [
      [1, one],
      [1, late, 'Withdrawn'],
    ],
    [[0, 1], []],
    [[0], []],
  ],
  [
    'the same, who goes for longer',
    [
      [0, one],
      [2, next, 'Withdrawn'],
    ],
    [
      [1, late],
      [2, next, 'Declined'],
    ],
    [[0, 1], []],
    [[1], []],
  ],
  [
    'both have accepted others from then',
    [
      [0, late],
      [1, late],
    ],
    [
      [1, one],
      [2, late],
    ],
    [[0, 1], []],
    [[0, 1, 2], []],
  ],
  [
    'all are offers',
    [
      [0, late, 'Offered'],
      [0, next, 'Offered'],
    ],
    [
      [1, one, 'Offered'],
      [1, next, 'Offered'],
    ],
    [[], [0, 1]],
    [[], [0, 1]],
  ],
  [
    'who stays had said no from then, who goes has accepted',
    [
      [0, late],
      [2, late, 'Declined'],
    ],
    [
      [1, one],
      [1, late],
    ],
    [[0, 1], []],
    [[0, 1], []],
  ],
]

test.for(besideAnother)(
  'PPL-93 two that part while a second pair begins: %s',
  async ([, [first, second], [coming, last], before, since], { server }) => {
    const { org, warden, covered, merge } = await merging(server)
    const [kim, ann] = [await warden(first, one), await warden(coming, one)]
    const also = (person: typeof kim, [floor, dateTo, status = 'Accepted']: Given) =>
      server.given.assignment(person, org, { floorUid: org.floors[floor], dateFrom: next, dateTo, status })
    await also(kim, second)
    await also(ann, last)

    await merge(kim.personUid, ann.personUid)

    expect([await covered(one), await covered(next)]).toEqual([before, since])
  },
)

test.for([
  ['who stays', [0, one, 'Offered'], [1, one]],
  ['who goes', [0, one], [1, one, 'Offered']],
] satisfies [string, Given, Given][])(
  'PPL-93 an offer for one day, to %s, beside an acceptance of another floor: they are merged once it is answered',
  async ([, stays, goes], { server }) => {
    const { warden, covered, merge, call } = await merging(server)
    const [kim, ann] = [await warden(stays, one), await warden(goes, one)]
    const before = await covered(one)

    await expect(merge(kim.personUid, ann.personUid)).rejects.toMatchObject({
      code: 'invalid_transition',
      message: expect.stringMatching(/^One of them is offered Floor Warden at .+ Wait for the answer, or withdraw/),
    })
    expect(await covered(one)).toEqual(before)
    const offered = stays[2] ? kim : ann
    await call(
      withdrawAssignment,
      { params: { uid: offered.assignmentUid }, body: { reason: 'The same person' } },
      withKey(),
    )
    await merge(kim.personUid, ann.personUid)
    expect(await covered(one)).toEqual([before[0], []])
  },
)

test('PPL-93 an assignment that passes over keeps its answers: the link of an offer still opens it', async ({
  server,
}) => {
  const { org, warden, merge } = await merging(server)
  const [one, other] = [await warden([0, late]), await warden([1, late, 'Offered'])]

  await merge(one.personUid, other.personUid)
  const entries = await server.journalOf(other.assignmentUid)
  const answer = (await server.as(one))('POST /api/v2/warden/updateAssignmentStatus', {
    body: { Warden_Assignment_UID: other.assignmentUid, Assignment_Status: 'Accepted' },
  })

  await expect(answer).resolves.toBeDefined()
  expect(entries).toMatchObject([
    { action: 'assignment_changed', before: { personUid: other.personUid }, after: { personUid: one.personUid } },
  ])
  expect(org.floors).toHaveLength(3)
})

test('PPL-93 days away of either count for both', async ({ server }) => {
  const { org, warden, covered, merge } = await merging(server)
  const [one, other] = [await warden([0, late]), await warden([1, late])]
  await server.db
    .insertInto('wardenAbsence')
    .values({ clientUid: org.clientUid, assignmentUid: other.assignmentUid, day: day(3) })
    .execute()

  await merge(one.personUid, other.personUid)

  expect([await covered(day(2)), await covered(day(3))]).toEqual([
    [[0, 1], []],
    [[], []],
  ])
})

test('PPL-93 answers that phones send while people are merged are lost on no floor', async ({ server }) => {
  for (let round = 0; round < 5; round++) {
    const { warden, covered, merge } = await merging(server)
    const [one, other] = [await warden([0, late]), await warden([1, late, 'Offered'])]
    const phone = await server.as(other)
    const [answer] = await refused(
      phone('POST /api/v2/warden/updateAssignmentStatus', {
        body: { Warden_Assignment_UID: other.assignmentUid, Assignment_Status: 'Accepted' },
      }),
      merge(one.personUid, other.personUid),
    )

    const [accepted, offered] = await covered(day(11))
    expect([accepted, offered]).toEqual(answer === 'answered' ? [[0, 1], []] : [[0], [1]])
  }
})

import { sql } from 'kysely'
import { expect } from 'vitest'
import type { AssignmentUid } from '#kernel/ids.ts'
import type { Warden, WardenOver } from '#server/testing/given-wardens.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { type AssignmentAnswer, assignmentAnswers, updateAssignmentStatus } from '../calls/assignments.ts'

const answer = (to: AssignmentAnswer, { assignmentUid }: Pick<Warden, 'assignmentUid'>, note?: string | null) => ({
  body: {
    Warden_Assignment_UID: assignmentUid,
    Assignment_Status: to,
    ...(note !== undefined && { Assignment_Declined_Note: note }),
  },
})
const rowOf = ({ db }: TestServer, { assignmentUid }: Pick<Warden, 'assignmentUid'>) =>
  db
    .selectFrom('wardenAssignment')
    .select(['status', 'declinedNote', 'respondedAt'])
    .where('uid', '=', assignmentUid)
    .executeTakeFirstOrThrow()

async function givenWarden(server: TestServer, over: WardenOver = {}) {
  const warden = await server.given.warden(await server.given.organisation(), { status: 'Offered', ...over })
  return { warden, call: await server.as(warden) }
}

test('ASSIGN-17 ASSIGN-23 API-23 AUTH-07 an offered assignment is accepted by its warden, and the journal tells', async ({
  server,
}) => {
  const { warden, call } = await givenWarden(server)

  const reply = await call(updateAssignmentStatus, answer('Accepted', warden))

  expect(reply).toEqual({ success: true })
  expect(await rowOf(server, warden)).toEqual({
    status: 'Accepted',
    declinedNote: null,
    respondedAt: expect.any(Date),
  })
  expect(await server.journalOf(warden.assignmentUid)).toMatchObject([
    {
      action: 'assignment_changed',
      subjectType: 'warden_assignment',
      clientUid: warden.clientUid,
      actorPersonUid: warden.personUid,
      eventUid: null,
      before: { status: 'Offered' },
      after: { status: 'Accepted' },
    },
  ])
})

const leavings = [
  ['ASSIGN-18 ASSIGN-25', 'Offered', 'Declined'],
  ['ASSIGN-19', 'Offered', 'Withdrawn'],
  ['ASSIGN-19 ASSIGN-25', 'Accepted', 'Withdrawn'],
] as const
test.for(leavings)(
  '%s from %s to %s, with a reason that the journal does not repeat',
  async ([, from, to], { server }) => {
    const { warden, call } = await givenWarden(server, { status: from })

    const reply = await call(updateAssignmentStatus, answer(to, warden, '  My knee is being operated on.\n'))

    expect(reply).toEqual({ success: true })
    expect(await rowOf(server, warden)).toMatchObject({ status: to, declinedNote: 'My knee is being operated on.' })
    const told = await server.journalOf(warden.assignmentUid)
    expect(told).toMatchObject([{ before: { status: from }, after: { status: to } }])
    expect(JSON.stringify(told)).not.toContain('knee')
  },
)

test('ASSIGN-28 any other change is invalid_transition and changes nothing', async ({ server }) => {
  const allowed = ['Offered Accepted', 'Offered Declined', 'Offered Withdrawn', 'Accepted Withdrawn']
  for (const from of ['Offered', 'Accepted', 'Declined', 'Withdrawn'] as const) {
    for (const to of assignmentAnswers.filter((one) => !allowed.includes(`${from} ${one}`))) {
      const { warden, call } = await givenWarden(server, { status: from })

      await expect(call(updateAssignmentStatus, answer(to, warden, 'Moving away'))).rejects.toMatchObject({
        code: 'invalid_transition',
        status: 409,
      })
      expect((await rowOf(server, warden)).status).toBe(from)
      expect(await server.journalOf(warden.assignmentUid)).toEqual([])
    }
  }
})

test('ASSIGN-11 ASSIGN-15 without a reason of 1 to 500 characters nothing is declined or withdrawn', async ({
  server,
}) => {
  const { warden, call } = await givenWarden(server)

  for (const to of ['Declined', 'Withdrawn'] as const)
    for (const note of [undefined, null, '', ' \n\t ', 'x'.repeat(501)])
      await expect(call(updateAssignmentStatus, answer(to, warden, note))).rejects.toMatchObject({
        code: 'invalid_request',
        status: 422,
        fields: ['body/Assignment_Declined_Note'],
      })

  expect((await rowOf(server, warden)).status).toBe('Offered')
})

test('ASSIGN-18 ASSIGN-25 a reason of 500 characters is kept whole, counted as people count', async ({ server }) => {
  const { warden, call } = await givenWarden(server)
  const note = '🧯'.repeat(500)

  await call(updateAssignmentStatus, answer('Declined', warden, `  ${note}  `))

  expect((await rowOf(server, warden)).declinedNote).toBe(note)
})

test('API-23 a status of no one, or a field too much, is not a request', async ({ server }) => {
  const { warden, call } = await givenWarden(server)
  const { body } = answer('Accepted', warden)

  const codes = await refused(
    call(updateAssignmentStatus, { body: { ...body, Assignment_Status: 'Offered' as never } }),
    call(updateAssignmentStatus, { body: { ...body, Person_UID: warden.personUid } as never }),
    server.stranger(updateAssignmentStatus, { body }),
  )

  expect(codes).toEqual(['invalid_request', 'invalid_request', 'not_signed_in'])
  expect((await rowOf(server, warden)).status).toBe('Offered')
})

test("ASSIGN-24 T2 another's assignment answers as one that does not exist, and stays as it is", async ({ server }) => {
  const [org, otherOrg] = [await server.given.organisation(), await server.given.organisation()]
  const warden = await server.given.warden(org)
  const colleague = await server.given.warden(org)
  const stranger = await server.given.warden(otherOrg)
  const ended = await server.given.warden(await server.given.organisation(), { accountUid: warden.accountUid })
  await server.db.updateTable('client').set({ active: false }).where('uid', '=', ended.clientUid).execute()
  const unknown = { assignmentUid: '00000000-0000-4000-8000-000000000000' as AssignmentUid }
  const call = await server.as(warden)

  for (const other of [colleague, stranger, ended, unknown])
    await expect(call(updateAssignmentStatus, answer('Withdrawn', other, 'Not mine'))).rejects.toMatchObject({
      code: 'not_found',
      message: 'Not found.',
    })

  for (const other of [colleague, stranger, ended]) expect((await rowOf(server, other)).status).toBe('Accepted')
})

test('ASSIGN-23 AMB-038 an assignment at another client of the same person is answered there', async ({ server }) => {
  const { warden } = await givenWarden(server, { status: 'Accepted' })
  const elsewhere = await server.given.warden(await server.given.organisation(), {
    accountUid: warden.accountUid,
    status: 'Offered',
  })
  const call = await server.as(warden)

  await call(updateAssignmentStatus, answer('Accepted', elsewhere))

  expect((await rowOf(server, elsewhere)).status).toBe('Accepted')
  expect(await server.journalOf(elsewhere.assignmentUid)).toMatchObject([
    { clientUid: elsewhere.clientUid, actorPersonUid: elsewhere.personUid, actorSignInUid: null },
  ])
})

test('ASSIGN-17 ASSIGN-18 of accepts and declines at once exactly one wins', async ({ server }) => {
  for (let round = 0; round < 20; round++) {
    const { warden, call } = await givenWarden(server)
    const attempts = [0, 1, 2, 3].flatMap(() => [
      answer('Accepted', warden),
      answer('Declined', warden, 'Not this year'),
    ])

    const codes = await refused(...attempts.map((attempt) => call(updateAssignmentStatus, attempt)))

    expect(codes.toSorted()).toEqual(['answered', ...Array(7).fill('invalid_transition')])
    const winner = attempts[codes.indexOf('answered')]?.body.Assignment_Status
    expect((await rowOf(server, warden)).status).toBe(winner)
    expect(await server.journalOf(warden.assignmentUid)).toMatchObject([{ after: { status: winner } }])
  }
})

test('ASSIGN-28 an answer that came another way meanwhile, as by an import, is not overwritten', async ({ server }) => {
  const { warden, call } = await givenWarden(server)

  const [accept] = await server.db.transaction().execute(async (tx) => {
    const { assignmentUid } = warden
    await tx.updateTable('wardenAssignment').set({ status: 'Declined' }).where('uid', '=', assignmentUid).execute()
    const sent = refused(call(updateAssignmentStatus, answer('Accepted', warden)))
    await expect.poll(() => countWaiting(server), { timeout: 10_000, interval: 5 }).toBe(1)
    return [sent]
  })

  expect(await accept).toEqual(['invalid_transition'])
  expect((await rowOf(server, warden)).status).toBe('Declined')
})

async function countWaiting({ database }: TestServer) {
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(database.owner.db)
  return rows[0]?.waiting
}

test('ASSIGN-17 I2 ten taps with one key accept once and hear so ten times', async ({ server }) => {
  const { warden, call } = await givenWarden(server)
  const key = withKey()

  const replies = await Promise.all(
    Array.from({ length: 10 }, () => call(updateAssignmentStatus, answer('Accepted', warden), key)),
  )

  expect(replies).toEqual(Array(10).fill({ success: true }))
  expect(await server.journalOf(warden.assignmentUid)).toHaveLength(1)
  expect(await refused(call(updateAssignmentStatus, answer('Withdrawn', warden, 'Oops'), key))).toEqual([
    'idempotency_conflict',
  ])
  expect((await rowOf(server, warden)).status).toBe('Accepted')
})

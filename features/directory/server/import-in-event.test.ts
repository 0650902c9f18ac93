import { expect, test } from 'vitest'
import { reportIn } from '#features/duty/calls/report-in.ts'
import { endEvent } from '#features/events/calls/events.ts'
import { getProfile } from '#features/sign-in/calls/sign-in.ts'
import type { SignInUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { Warden } from '#server/testing/given-wardens.ts'
import { rowsOf } from '#server/testing/import-test.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { refused } from '#server/testing/refused.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { evacuees, startEvent } from './import-in-event.fixture.ts'

/** A session as the report-in link of this warden begins it. */
async function ofReportInLink({ server, db }: { server: TestServer; db: Db }, code: string) {
  const [warden] = await rowsOf<Warden & { signInUid: SignInUid }>(
    db,
    `select p.client_uid, p.uid as person_uid, p.account_uid, si.assignment_uid, si.uid as sign_in_uid
    from warden_sign_in si join person p on p.uid = si.person_uid where p.code = '${code}'`,
  )
  if (!warden) throw new Error(`${code} is no warden of the event`)
  return server.as(warden, { signInUid: warden.signInUid })
}

test('AMB-067 no one is taken off duty by an import: what it would end stays, and is told', async () => {
  await using at = await startEvent()
  const chief = `select p.active, a.status, s.on_duty from person p join warden_assignment a on a.person_uid = p.uid
    join warden_sign_in s on s.assignment_uid = a.uid where p.code = 'P1'`

  at.folder.edit('assignments.csv', 'P1,CHIEF,S1,,2020-01-01,2099-12-31,Accepted\n', '')
  at.folder.edit('people.csv', 'P1,Ada,Abara,ada@small.test,,0491 000 901,evacuate1,B1/G,staff,,yes\n', '')
  const missing = await at.run({ deactivateMissing: true })
  const meanwhile = await rowsOf(at.db, chief)
  at.folder.write(
    'assignments.csv',
    'person,role,site,date_from,date_to,status\nP1,CHIEF,S1,2020-01-01,2099-12-31,Withdrawn\n',
  )
  at.folder.edit('people.csv', 'P2,Ben', 'P1,Ada,Abara,ada@small.test,,,,B1/G,staff,,yes\nP2,Ben')
  const withdrawn = await at.run()
  at.folder.edit('assignments.csv', 'Withdrawn', 'Offered')
  const offered = await at.run()
  at.folder.edit('assignments.csv', '2099-12-31,Offered', '2020-12-31,Accepted')
  const lapsed = await at.run()

  expect(missing).toMatchObject({ errors: [], notes: [{ file: 'people.csv' }, { file: 'assignments.csv' }] })
  for (const report of [withdrawn, offered])
    expect(report).toMatchObject({ errors: [], notes: [{ file: 'assignments.csv', line: 2, column: 'status' }] })
  expect(lapsed).toMatchObject({ errors: [], notes: [{ file: 'assignments.csv', line: 2, column: 'date_to' }] })
  const atTheirPost = [{ active: true, status: 'Accepted', onDuty: true }]
  expect([meanwhile, await rowsOf(at.db, chief)]).toEqual([atTheirPost, atTheirPost])
})

test('AMB-067 who accepted in the app and is on duty stays so, and the dates of a file that still offers are taken', async () => {
  await using at = await startEvent()
  await rowsOf(at.db, "update warden_assignment set imported_status = 'Offered'")

  at.folder.edit('assignments.csv', '2099-12-31,Accepted', '2098-12-31,Offered')
  const report = await at.run()

  expect(report).toMatchObject({ errors: [], notes: [] })
  const chief = `select a.status, a.date_to, s.on_duty, s.closed_at from warden_sign_in s
    join warden_assignment a on a.uid = s.assignment_uid where s.on_duty`
  expect(await rowsOf(at.db, chief)).toEqual([
    { status: 'Accepted', dateTo: '2098-12-31', onDuty: true, closedAt: null },
  ])
})

test('AMB-079 a warden whose assignment the import ends leaves the running event', async () => {
  await using at = await startEvent()
  await rowsOf(
    at.db,
    `insert into warden_sign_in (client_uid, event_uid, assignment_uid, person_uid)
    select client_uid, '${at.eventUid}', uid, person_uid from warden_assignment where status = 'Offered'`,
  )

  at.folder.edit('assignments.csv', 'Offered', 'Withdrawn')
  await at.run()

  const closed = 'select s.uid from warden_sign_in s where closed_at is not null'
  const [signIn] = await rowsOf<{ uid: string }>(at.db, closed)
  const told = "select subject_uid as uid, event_uid from journal where action = 'assignment_ended'"
  expect(await rowsOf(at.db, told)).toEqual([{ uid: signIn?.uid, eventUid: at.eventUid }])
})

test.for([
  ['withdraws', 'today+300,Accepted', 'today+300,Withdrawn'],
  ['offers anew', 'today+300,Accepted', 'today+300,Offered'],
  ['has over since yesterday', 'today+300,Accepted', 'today-1,Accepted'],
  ['no longer has', 'P2,FLOOR,S1,B1/L1,today-10,today+300,Accepted\n', ''],
])(
  'AMB-067 a warden whose assignment the import %s is an occupant again: counted, and not signed in by a link',
  async ([, from = '', to = '']) => {
    await using at = await startEvent({ accepted: true })
    const isBen = expect.objectContaining({ code: 'P2' })
    expect(await rowsOf(at.db, evacuees)).not.toContainEqual(isBen)
    const byLink = await ofReportInLink(at, 'P2')

    at.folder.edit('assignments.csv', from, to)
    await at.run({ deactivateMissing: true })
    await at.run({ deactivateMissing: true })

    expect(await rowsOf(at.db, evacuees)).toContainEqual({ code: 'P2', visitor: false, status: 'unknown', floor: 'L1' })
    expect(await wrongTallies(at.db, at.eventUid)).toEqual([])
    expect(await refused(byLink(getProfile, {}))).toEqual(['not_signed_in'])
  },
)

test('AMB-067 who reports in while an import is about to end their assignment stays on duty', async () => {
  await using at = await startEvent({ accepted: true })
  const ben = await ofReportInLink(at, 'P2')
  const [site] = await rowsOf<{ uid: string }>(at.db, 'select uid from site')
  at.folder.edit('assignments.csv', 'today+300,Accepted', 'today+300,Withdrawn')
  const held = await at.server.hold('site', site?.uid as string)

  const imported = at.run()
  await held.waiting(1)
  await ben(reportIn, {})
  await held.release()

  expect(await imported).toMatchObject({ errors: [], notes: [{ file: 'assignments.csv', line: 3, column: 'status' }] })
  const duty = `select a.status, si.on_duty, si.closed_at from warden_sign_in si
    join warden_assignment a on a.uid = si.assignment_uid join person p on p.uid = si.person_uid where p.code = 'P2'`
  expect(await rowsOf(at.db, duty)).toEqual([{ status: 'Accepted', onDuty: true, closedAt: null }])
})

test('AMB-067 EVENT-24 an import that ends an assignment and the end of the event take turns', async () => {
  await using at = await startEvent({ accepted: true })
  const [site] = await rowsOf<{ uid: string; buildingUid: string; typeUid: string }>(
    at.db,
    `select s.uid, b.uid as building_uid, t.uid as type_uid from site s, building b, event_type t`,
  )
  at.folder.edit('assignments.csv', 'today+300,Accepted', 'today+300,Withdrawn')
  const held = await at.server.hold('site', site?.uid as string)

  const imported = at.run()
  const ended = at.chief(endEvent, {
    body: {
      buildings: [site?.buildingUid as never],
      eventType: site?.typeUid as never,
      message: 'It is over.',
      broadcastMessage: 'no',
    },
  })
  await held.waiting(2)
  await held.release()

  expect(await imported).toMatchObject({ errors: [] })
  expect(await ended).toMatchObject({ status: 'event_ended' })
  expect(await rowsOf(at.db, 'select uid from warden_sign_in where closed_at is null')).toEqual([])
  expect(await wrongTallies(at.db, at.eventUid)).toEqual([])
})

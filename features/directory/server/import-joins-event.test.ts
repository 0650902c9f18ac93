import { expect, test } from 'vitest'
import { listReportInCards } from '#features/duty/calls/report-in.ts'
import { filterEvacuees } from '#features/evacuation/calls/safety.ts'
import { defaultFilters } from '#kernel/kinds.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { Warden } from '#server/testing/given-wardens.ts'
import { rowsOf } from '#server/testing/import-test.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { evacuees, importedOrganisation, startEvent } from './import-in-event.fixture.ts'

const withVida = 'V2,Vida,Vos,,,,,B1/L1,visitor,today,no\nV1,Vera'

/** What a run leaves that ended between writing and joining. */
const acceptedByCutRun = (db: Db) =>
  rowsOf(db, "update warden_assignment set status = 'Accepted', imported_status = 'Accepted'")

test('AMB-105 AAR-16 a visitor registered while the event runs joins it, is counted, and the screens are told', async () => {
  await using at = await startEvent()

  at.folder.edit(
    'people.csv',
    'V1,Vera',
    'V2,Vida,Vos,,,,,B1/L1,visitor,today,no\nV3,Late,Vos,,,,,B1,visitor,today+1,no\nV4,Vito,Vos,,,,,B1,visitor,today,no\nV1,Vera',
  )
  await at.run()
  await at.run()

  expect(await rowsOf(at.db, evacuees)).toEqual([
    { code: 'P2', visitor: false, status: 'unknown', floor: 'L1' },
    { code: 'P3', visitor: false, status: 'unknown', floor: 'L1' },
    { code: 'V1', visitor: true, status: 'unknown', floor: null },
    { code: 'V2', visitor: true, status: 'unknown', floor: 'L1' },
    { code: 'V4', visitor: true, status: 'unknown', floor: null },
  ])
  expect(await wrongTallies(at.db, at.eventUid)).toEqual([])
  const told = `select p.code, j.after->'tally' as tally, f.uid as floor, b.uid as building
    from journal j join person p on p.uid = j.subject_uid, floor f join building b on b.uid = f.building_uid
    where j.after->>'by' = 'import' and f.code = 'L1' order by p.code`
  const [onFloor, inBuilding] = await rowsOf<{ code: string; floor: string; building: string }>(at.db, told)
  expect(onFloor).toMatchObject({ code: 'V2', tally: [[onFloor?.floor, 0, 1, 0, 0]] })
  expect(inBuilding).toMatchObject({ code: 'V4', tally: [[inBuilding?.building, 0, 1, 0, 0]] })
})

test('AMB-105 a visitor of a floor that the event does not know is listed and counted with the building', async () => {
  await using at = await startEvent()

  at.folder.edit('floors.csv', 'B1,L1,', 'B1,L2,Level 2,2,floor\nB1,L1,')
  at.folder.edit('people.csv', 'V1,Vera', 'V2,Vida,Vos,,,,,B1/L2,visitor,today,no\nV1,Vera')
  await at.run()

  expect(await rowsOf(at.db, evacuees)).toContainEqual({ code: 'V2', visitor: true, status: 'unknown', floor: null })
  await rowsOf(at.db, "update warden_role set modules = modules || '{Evacuee_Safety}'")
  const page = await at.chief(filterEvacuees, { query: { page: '1' }, body: { ...defaultFilters, area: 'everyone' } })
  expect(page.evacuees.map(({ name }) => name)).toContain('Vida Vos')
  expect(page.filterCounts).toMatchObject({ total: page.evacuees.length })
  expect(await wrongTallies(at.db, at.eventUid)).toEqual([])
})

test('AMB-105 a visitor of a building or an hour without an event joins nothing', async () => {
  await using at = await startEvent()
  await rowsOf(at.db, 'update event_building set active = false, removed_at = now()')

  at.folder.edit('people.csv', 'V1,Vera', withVida)
  await at.run()

  expect(await rowsOf<{ code: string }>(at.db, evacuees)).not.toContainEqual(expect.objectContaining({ code: 'V2' }))
})

test.for([
  ['P2', 'an assignment that was offered', 'today+300,Offered', 'today+300,Accepted'],
  ['P3', 'a new one', 'today+300,Offered\n', 'today+300,Offered\nP3,FLOOR,S1,B1/G,today,today+1,Accepted\n'],
] as const)(
  'AMB-067 %s, for whom the import accepts %s, is a warden of the running event and no longer an occupant',
  async ([code, , from, to]) => {
    await using at = await startEvent()
    const isThem = expect.objectContaining({ code })
    expect(await rowsOf(at.db, evacuees)).toContainEqual(isThem)

    at.folder.edit('assignments.csv', from, to)
    await at.run()
    await at.run()

    expect(await rowsOf(at.db, evacuees)).not.toContainEqual(isThem)
    expect(await wrongTallies(at.db, at.eventUid)).toEqual([])
    const [warden] = await rowsOf<Warden & { signInUid: string }>(
      at.db,
      `select si.client_uid, p.uid as person_uid, p.account_uid, si.assignment_uid, si.uid as sign_in_uid
      from warden_sign_in si join person p on p.uid = si.person_uid where p.code = '${code}'`,
    )
    const [card] = await (await at.server.as(warden as Warden))(listReportInCards, { query: { signInMethod: 'Email' } })
    expect(card).toMatchObject({ Header: 'Event In Progress', Warden_Sign_In_UID: warden?.signInUid })
    const told = `select subject_uid, after->>'sign_in_uid' as sign_in_uid from journal
      where action = 'assignment_changed' and event_uid = '${at.eventUid}'`
    expect(await rowsOf(at.db, told)).toEqual([{ subjectUid: warden?.assignmentUid, signInUid: warden?.signInUid }])
  },
)

test('AMB-067 AMB-105 a dry run changes nothing in the running event', async () => {
  await using at = await startEvent()
  at.folder.edit('assignments.csv', 'today+300,Offered', 'today+300,Accepted')
  at.folder.edit('people.csv', 'V1,Vera', withVida)
  await acceptedByCutRun(at.db)
  const counts = `select (select count(*) from evacuee where active) as evacuees,
    (select count(*) from warden_sign_in) as wardens, (select count(*) from journal) as entries`
  const before = await rowsOf(at.db, counts)

  await at.run({ dryRun: true })

  expect(await rowsOf(at.db, counts)).toEqual(before)
})

test('AMB-067 what a run that was cut short left undone, the next one does, though it finds nothing to write', async () => {
  await using at = await startEvent()
  at.folder.edit('assignments.csv', 'today+300,Offered', 'today+300,Accepted')
  await acceptedByCutRun(at.db)

  const report = await at.run()

  expect(report.files.filter(({ created, updated }) => created + updated > 0)).toEqual([])
  expect(await rowsOf(at.db, evacuees)).not.toContainEqual(expect.objectContaining({ code: 'P2' }))
  expect(await wrongTallies(at.db, at.eventUid)).toEqual([])
})

test('AMB-067 AMB-105 whom an import brings while an event is just starting joins it', async () => {
  await using at = await importedOrganisation()
  const [session] = await rowsOf<{ uid: string }>(at.db, 'select uid from session')
  at.folder.edit('assignments.csv', 'today+300,Offered', 'today+300,Accepted')
  at.folder.edit('people.csv', 'V1,Vera', withVida)
  const held = await at.server.hold('session', session?.uid as string)

  const started = at.start() // has taken in everyone it sees, and is not committed
  await held.waiting(1)
  const imported = at.run()
  await held.waiting(2)
  await held.release()

  const eventUid = await started
  expect(await imported).toMatchObject({ errors: [] })
  expect(await rowsOf(at.db, evacuees)).toMatchObject([{ code: 'P3' }, { code: 'V1' }, { code: 'V2' }])
  const wardens = 'select p.code from warden_sign_in si join person p on p.uid = si.person_uid order by p.code'
  expect(await rowsOf(at.db, wardens)).toEqual([{ code: 'P1' }, { code: 'P2' }])
  expect(await wrongTallies(at.db, eventUid)).toEqual([])
})

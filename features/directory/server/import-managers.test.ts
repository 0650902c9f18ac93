import { expect, test } from 'vitest'
import { endEvent } from '#features/events/calls/events.ts'
import { rowsOf } from '#server/testing/import-test.ts'
import { startEvent } from './import-in-event.fixture.ts'

type Started = Awaited<ReturnType<typeof startEvent>>

/** By the chief warden who started it. */
async function end({ db, chief }: Started) {
  const [at] = await rowsOf<{ buildingUid: string; typeUid: string }>(
    db,
    "select b.uid as building_uid, t.uid as type_uid from building b, event_type t where b.code = 'B1'",
  )
  const { buildingUid, typeUid } = at as NonNullable<typeof at>
  return chief(endEvent, {
    body: {
      buildings: [buildingUid as never],
      eventType: typeUid as never,
      message: 'It is over.',
      broadcastMessage: 'no',
    },
  })
}

test('AMB-067 T29 the role of a manager on duty goes on to manage events until the event has ended, and that is told', async () => {
  await using at = await startEvent()
  at.folder.edit('roles.csv', 'CHIEF,Chief Warden,Site,Event_Management My_Messages', 'CHIEF,Chief,Site,My_Messages')

  const during = await at.run()
  const ended = await end(at)
  const after = await at.run()

  expect(during).toMatchObject({ errors: [], notes: [{ file: 'roles.csv', line: 2, column: 'modules' }] })
  expect(ended).toMatchObject({ status: 'event_ended' })
  expect(after).toMatchObject({ errors: [], notes: [] })
  expect(await rowsOf(at.db, "select name, modules from warden_role where code = 'CHIEF'")).toEqual([
    { name: 'Chief', modules: ['My_Messages'] },
  ])
})

test('AMB-067 T29 of several managers on duty none loses the event by one import', async () => {
  await using at = await startEvent({ accepted: true })
  at.folder.edit('roles.csv', 'Floor_Evacuation', 'Event_Management Floor_Evacuation')
  await at.run()
  await rowsOf(at.db, 'update warden_sign_in set on_duty = true, on_duty_at = now() where not on_duty')
  at.folder.edit('roles.csv', 'Event_Management Floor_Evacuation', 'Floor_Evacuation')
  at.folder.edit('roles.csv', 'Event_Management My_Messages', 'My_Messages')

  const report = await at.run()

  expect(report.notes).toMatchObject([
    { file: 'roles.csv', line: 2, column: 'modules' },
    { file: 'roles.csv', line: 3, column: 'modules' },
  ])
  expect(await rowsOf(at.db, "select code from warden_role where not 'Event_Management' = any (modules)")).toEqual([])
})

test('AMB-067 T29 a manager on duty keeps the places in which they may end the event', async () => {
  await using at = await startEvent()
  at.folder.edit('roles.csv', 'Chief Warden,Site', 'Chief Warden,Building')
  at.folder.edit('buildings.csv', 'S1,B1,North House\n', 'S1,B1,North House\nS1,B2,South House\n')
  at.folder.edit('assignments.csv', 'P1,CHIEF,S1,,', 'P1,CHIEF,S1,B2,')

  const report = await at.run()

  expect(report).toMatchObject({
    errors: [],
    notes: [
      { file: 'assignments.csv', line: 2, column: 'locations' },
      { file: 'roles.csv', line: 2, column: 'area_domain' },
    ],
  })
  expect(await end(at)).toMatchObject({ status: 'event_ended' })
})

test('AMB-067 T29 a role that no one on duty manages the event by loses it at once', async () => {
  await using at = await startEvent({ accepted: true })
  at.folder.edit('roles.csv', 'Floor_Evacuation', 'Event_Management Floor_Evacuation')
  await at.run()
  at.folder.edit('roles.csv', 'Event_Management Floor_Evacuation', 'Floor_Evacuation')

  const report = await at.run()

  expect(report).toMatchObject({ errors: [], notes: [] })
  expect(await rowsOf(at.db, "select modules from warden_role where code = 'FLOOR'")).toEqual([
    { modules: ['Floor_Evacuation'] },
  ])
})

test('AMB-067 T29 who is on duty becomes no visitor, keeps the account, and no one else takes its names', async () => {
  await using at = await startEvent()
  at.folder.edit(
    'people.csv',
    'P1,Ada,Abara,ada@small.test,,0491 000 901,evacuate1,B1/G,staff,,yes',
    'P1,Ada,Abara,ada@small.test,,0491 000 901,,B1/G,visitor,today,yes',
  )
  at.folder.write('assignments.csv', 'person,role,site,locations,date_from,date_to,status\n')

  const report = await at.run()

  expect(report).toMatchObject({ errors: [], notes: [{ file: 'people.csv', line: 2, column: 'kind' }] })
  expect(await rowsOf(at.db, "select kind, account_uid is not null as signs_in from person where code = 'P1'")).toEqual(
    [{ kind: 'staff', signsIn: true }],
  )
})

test('ORG-41 ORG-42 while an event runs the command leaves texts, the zone of its site, the name of its type and the modules of who is on duty, and tells', async () => {
  await using at = await startEvent({ accepted: true })
  await rowsOf(at.db, 'update warden_sign_in set on_duty = true, on_duty_at = now() where not on_duty')
  at.folder.edit('organisation.csv', 'SMALL,Small Ltd,yes', 'SMALL,Small Inc,no')
  at.folder.edit('sites.csv', 'Main Site,Australia/Sydney', 'First Site,Australia/Perth')
  at.folder.edit('event_types.csv', 'FIRE,Fire,Fire or smoke', 'FIRE,Flames,Flames or smoke')
  at.folder.edit('roles.csv', 'Floor,Floor_Evacuation', 'Floor,My_Messages')
  const stored = async () => ({
    ...(await rowsOf<object>(at.db, 'select name as client, sms_allowed from client'))[0],
    ...(await rowsOf<object>(at.db, 'select name as site, timezone from site'))[0],
    ...(await rowsOf<object>(at.db, 'select type, description from event_type'))[0],
    ...(await rowsOf<object>(at.db, "select modules from warden_role where code = 'FLOOR'"))[0],
  })

  const during = await at.run()
  const meanwhile = await stored()
  await end(at)
  const after = await at.run()

  expect(during.errors).toEqual([])
  expect(during.notes.map(({ file, line, column }) => [file, line, column])).toEqual([
    ['organisation.csv', 2, 'sms_allowed'],
    ['sites.csv', 2, 'timezone'],
    ['event_types.csv', 2, 'type'],
    ['roles.csv', 3, 'modules'],
  ])
  expect(during.notes[0]?.reason).toBe(
    'waits, because an event is running at Main Site: run the import again when it has ended',
  )
  expect(meanwhile).toEqual({
    client: 'Small Inc',
    smsAllowed: true,
    site: 'First Site',
    timezone: 'Australia/Sydney',
    type: 'Fire',
    description: 'Flames or smoke',
    modules: ['Floor_Evacuation', 'My_Messages'],
  })
  expect(after.notes).toEqual([])
  expect(await stored()).toMatchObject({ smsAllowed: false, timezone: 'Australia/Perth', type: 'Flames' })
  expect(await stored()).toMatchObject({ modules: ['My_Messages'] })
})

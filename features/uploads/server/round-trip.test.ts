import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { expect, test } from 'vitest'
import { appointAdministrator } from '#features/administrators/calls/administrators.ts'
import { updateAssignmentStatus } from '#features/assignments/calls/assignments.ts'
import { getNow } from '#features/assignments/calls/waiting.ts'
import * as wardens from '#features/assignments/calls/wardens.ts'
import { importOrganisation } from '#features/directory/server/import.service.ts'
import { exportTables } from '#features/directory/server/tables/export.service.ts'
import * as lists from '#features/organisation/calls/lists.ts'
import { getSettings, saveSettings } from '#features/organisation/calls/settings.ts'
import { endPlan, getPlan, savePlan } from '#features/peeps/calls/plans.ts'
import { mergePeople } from '#features/people/calls/duplicates.ts'
import { addGroup, changeGroup, changeMembers, getGroup } from '#features/people/calls/groups.ts'
import * as people from '#features/people/calls/people.ts'
import { changePeople } from '#features/people/calls/people-bulk.ts'
import { erasePerson } from '#features/people/calls/person-data.ts'
import * as places from '#features/places/calls.ts'
import type { AssignmentUid, FloorUid, PersonUid, SiteUid, WardenRoleUid } from '#kernel/ids.ts'
import { givenFolder } from '#server/testing/given-folder.ts'
import { changesOf, rowsOf } from '#server/testing/import-test.ts'
import { withKey } from '#server/testing/test-server.ts'
import { openUploading } from './uploads.fixture.ts'

type At = Awaited<ReturnType<typeof openUploading>>
const day = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toLocaleDateString('en-CA', { timeZone: 'Australia/Sydney' })

const uidOf = async <U extends string>({ db }: At, table: string, code: string): Promise<U> => {
  const [row] = await rowsOf<{ uid: U }>(db, `select uid from ${table} where code = '${code}'`)
  if (!row) throw new Error(`no ${code}`)
  return row.uid
}

async function actOnPlaces(at: At) {
  const { call } = at
  const { uid: site } = await call(places.addSite, { body: { name: 'Annexe', timezone: 'Australia/Perth' } }, withKey())
  const { uid: building } = await call(places.addBuilding, { body: { site, name: 'Gate "house", the old' } }, withKey())
  const floors = [{ name: 'Ground' }, { name: 'Level 1' }, { name: 'Level 2', level: 9 }, { name: 'Old' }]
  const { uids } = await call(places.addFloors, { body: { building, kind: 'floor', floors } }, withKey())
  const [ground, first, second, old] = uids as [FloorUid, FloorUid, FloorUid, FloorUid]
  await call(places.movePlace, { params: { uid: second }, body: { after: ground } }, withKey())
  await call(places.retirePlace, { params: { uid: old } }, withKey())
  await call(places.retirePlace, { params: { uid: first } }, withKey())
  await call(places.bringBackPlace, { params: { uid: first } }, withKey())
  const { sites } = await call(places.listPlaces, { query: { site } })
  const version = sites[0]?.version ?? ''
  const body = { version, name: 'The Annexe', drill_every_days: 90, drill_shifts: '07:00;15:00' }
  await call(places.changePlace, { params: { uid: site }, body }, withKey())
  return { site, building, ground, first, second }
}

async function actOnWardens(at: At, { first }: { first: FloorUid }) {
  const { call, server } = at
  const [site, l1] = [await uidOf<SiteUid>(at, 'site', 'S1'), await uidOf<FloorUid>(at, 'floor', 'L1')]
  const [ada, ben, cleo] = (await Promise.all(
    ['P1', 'P2', 'P3'].map((code) => uidOf<PersonUid>(at, 'person', code)),
  )) as [PersonUid, PersonUid, PersonUid]
  const [floor, chief] = (await Promise.all(
    ['FLOOR', 'CHIEF'].map((code) => uidOf<WardenRoleUid>(at, 'warden_role', code)),
  )) as [WardenRoleUid, WardenRoleUid]
  const { uid: runner } = await call(
    wardens.addRole,
    {
      body: {
        name: 'Runner',
        domain: 'Floor',
        modules: ['My_Messages', 'Floor_Evacuation'],
        command_order: 3,
        called: 'second',
      },
    },
    withKey(),
  )
  const offer = (person: PersonUid, role: WardenRoleUid, from: number, over = {}) =>
    call(
      wardens.offerRole,
      {
        body: {
          people: [person],
          role,
          site,
          places: role === chief ? [] : [l1],
          tell: false,
          accepted: false,
          from: day(from),
          to: day(200),
          ...over,
        },
      },
      withKey(),
    )
  await offer(ada, floor, 0)
  await offer(ben, runner, 1)
  await offer(cleo, floor, 2, { accepted: true })
  await offer(cleo, chief, 3)
  await offer(cleo, runner, 4)
  const held = async (person: PersonUid, role: WardenRoleUid) => {
    const { rows } = await call(wardens.listAssignments, { query: { person, role } })
    return rows[0] as wardens.AssignmentRow
  }
  const withdraw = async ({ uid }: { uid: AssignmentUid }) =>
    call(wardens.withdrawAssignment, { params: { uid }, body: { reason: 'Moves away' } }, withKey())
  // that of a file, and those of the console
  await withdraw(await held(ben, floor))
  await withdraw(await held(ben, runner))
  await withdraw(await held(cleo, floor))
  const chiefOffer = await held(cleo, chief)
  await call(
    wardens.changeAssignment,
    {
      params: { uid: chiefOffer.uid },
      body: { version: chiefOffer.version, from: day(5), to: day(90), places: [] },
    },
    withKey(),
  )
  // answers on a phone
  const phone = server.callWith((await server.signIn('ada@small.test', 'evacuate1')).access_token)
  const answer = (uid: AssignmentUid, to: 'Accepted' | 'Withdrawn') =>
    phone(updateAssignmentStatus, {
      body: { Warden_Assignment_UID: uid, Assignment_Status: to, ...(to === 'Withdrawn' && { Declined_Note: 'Away' }) },
    } as never)
  await answer((await held(ada, floor)).uid, 'Accepted')
  const { rows } = await call(wardens.listRoles, {})
  const off = rows.find(({ uid }) => uid === runner) as wardens.RoleRow
  await withdraw(await held(cleo, runner))
  await call(
    wardens.changeRole,
    {
      params: { uid: runner },
      body: { version: off.version, name: 'Runner', domain: 'Floor', modules: ['Floor_Evacuation'], in_use: false },
    },
    withKey(),
  )
  return { offer, floor, ada, ben, cleo, l1, site, first }
}

type Wardens = Awaited<ReturnType<typeof actOnWardens>>

async function actOnPeople(at: At, { offer, floor, cleo, l1 }: Wardens, ground: FloorUid) {
  const { call } = at
  const add = async (fields: Record<string, unknown>) =>
    (await call(people.addPerson, { body: { last_name: 'Lee', ...fields } as never }, withKey())).uid
  const see = (uid: PersonUid) => call(people.getPerson, { params: { uid } })
  const [kim, kim2] = [
    await add({ first_name: "'Tis", email: 'kim@small.test', mobile: '0491 000 911', place: ground }),
    await add({ first_name: '=Kim', email: 'kim2@small.test', mobile: '0491 000 912' }),
  ]
  const [gone, back, left] = [
    await add({ first_name: '-Ann', last_name: "O’Hara, 'Jr'", email: 'ann@small.test' }),
    await add({ first_name: '+Bo', last_name: 'de la "Cruz"', email: 'bo@small.test', username: 'bob' }),
    await add({ first_name: '@Di', last_name: 'Über', email: 'di@small.test', mobile: '0491 000 913' }),
  ]
  await add({ first_name: 'Hash', code: '# 7', place: ground })
  await add({ first_name: 'Vic', kind: 'visitor', visit_date: day(0), place: l1 })
  await offer(kim, floor, -1)
  await offer(kim2, floor, -1, { accepted: true, places: [l1] })
  await offer(gone, floor, 6)
  await offer(left, floor, 6, { accepted: true })
  const { uid: group } = await call(addGroup, { body: { name: 'Dental "east"' } }, withKey())
  const { uid: over } = await call(addGroup, { body: { name: 'Closed' } }, withKey())
  await call(changeMembers, { params: { uid: group }, body: { add: [kim, kim2, gone, left], remove: [] } }, withKey())
  await call(changeMembers, { params: { uid: over }, body: { add: [left], remove: [] } }, withKey())
  const { version, code } = await call(getGroup, { params: { uid: over } })
  const off = { params: { uid: over }, body: { version, name: 'Closed', code, in_use: false } }
  await call(changeGroup, off, withKey())
  const plan = { assistance: 'A chair\nand two people', disability: '', other: '=x', summary: 'Chair' }
  const dates = { consent: 'person' as const, consent_on: day(0), review_on: day(30) }
  const write = async (personUid: PersonUid, given = {}) => {
    const before = (await call(getPlan, { params: { personUid } })).plan
    const body = { version: before?.version ?? null, ...plan, ...dates, ...given }
    await call(savePlan, { params: { personUid }, body }, withKey())
  }
  await write(cleo, { fire_service: 'no' })
  await write(kim2)
  await write(back)
  const ended = (await call(getPlan, { params: { personUid: back } })).plan?.version ?? ''
  await call(endPlan, { params: { personUid: back }, body: { version: ended } }, withKey())
  const merged = { stays: kim, goes: kim2, take: ['code', 'email'] as never }
  const versions = { stays_version: (await see(kim)).version, goes_version: (await see(kim2)).version }
  await call(mergePeople, { body: { ...merged, ...versions } }, withKey())
  for (const uid of [gone, back, left]) await call(people.deactivatePerson, { params: { uid } }, withKey())
  await call(people.reactivatePerson, { params: { uid: back } }, withKey())
  await call(erasePerson, { params: { uid: gone } }, withKey())
  const changed = await see(back)
  const fields = { version: changed.version, last_name: 'de la Cruz', place: ground }
  await call(people.changePerson, { params: { uid: back }, body: fields }, withKey())
  await call(changePeople, { body: { people: [kim], act: 'move', place: l1 } }, withKey())
  const grant = { person: back, reach: 'group' as const, group, sees_plans: false }
  await call(appointAdministrator, { body: grant }, withKey())
  return { kim }
}

async function actOnLists(at: At, person: PersonUid, site: SiteUid) {
  const { call, server } = at
  const { rows: statuses } = await call(lists.listFloorStatuses, {})
  const status = await call(lists.addFloorStatus, { body: { name: 'Clear', colour: 'green', in_use: true } }, withKey())
  const order = { uids: [status.uid, ...statuses.map(({ uid }) => uid)] as never }
  await call(lists.orderFloorStatuses, { body: order }, withKey())
  const type = { type: 'Gas', description: 'A leak, or "smell"', message: '=Leave', in_use: false }
  await call(lists.addEventType, { body: type }, withKey())
  await call(lists.addChecklistItem, { body: { text: 'Gas, shut off?', in_use: true } }, withKey())
  await call(lists.addChecklistItem, { body: { text: 'Old?', in_use: false } }, withKey())
  const template = { kind: 'Warden' as const, text: 'Report in.', coded_answer: false, in_use: true }
  await call(lists.addTemplate, { body: template }, withKey())
  const answer = await server.app.inject({
    method: 'POST',
    url: lists.storeDocumentFile.path,
    headers: { authorization: `Bearer ${call.token}`, 'content-type': 'application/octet-stream' },
    payload: Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n'),
  })
  const none = { url: '', file: '', site: null, role: null, person: null, in_use: true }
  const add = (body: object) => call(lists.addDocument, { body: { ...none, ...body } as never }, withKey())
  await add({ name: 'Stored plan', file: answer.json().file, site })
  await add({ name: 'Own plan', file: answer.json().file, person })
  await add({ name: 'A link', url: 'https://small.test/a,b', site, in_use: false })
  const { version, server: _, ...settings } = await call(getSettings, {})
  const body = { ...settings, version, name: 'Small "and" Sons', contact_email: 'office@small.test', may_delete: true }
  const saved = { ...body, command_minutes: 7, days: { ...settings.days, plans: 400 }, sms_links: 50 }
  await call(saveSettings, { body: saved }, withKey())
}

/** All that an import can change, and who changed it when. What the last file said of a status is not among it. */
async function stateOf({ db }: At) {
  const tables = ['client', 'site', 'building', 'floor', 'warden_role', 'person', 'people_group', 'people_group_member']
  const others = ['peep', 'warden_assignment', 'assignment_location', 'event_type', 'floor_status', 'checklist_item']
  const all = [...tables, ...others, 'message_template', 'document', 'account', 'waiting_change', 'administrator']
  const read = async (table: string) => [
    table,
    (
      await rowsOf<{ row: string }>(
        db,
        `select (to_jsonb(t) - 'imported_status')::text as row from ${table} t order by 1`,
      )
    ).map(({ row }) => row),
  ]
  return Object.fromEntries(await Promise.all(all.map(read))) as Record<string, string[]>
}

/** The export as a folder. */
async function exported({ db, org, documents }: At) {
  const { files, documents: keys } = await exportTables(db, org.clientUid, {
    plans: true,
    people: null,
    assignments: null,
  })
  const texts = Object.fromEntries(files.map(({ name, lines }) => [name, [...lines()].join('')]))
  const folder = givenFolder(texts)
  await mkdir(join(folder.path, 'documents'))
  for (const key of keys) {
    const file = await documents.read(key)
    if (file) await pipeline(file.body, createWriteStream(join(folder.path, 'documents', key)))
  }
  return { folder, texts }
}

test('IMP-52 after every kind of act in the console an export that is imported again changes nothing', {
  timeout: 300_000,
}, async () => {
  await using at = await openUploading()
  const annexe = await actOnPlaces(at)
  const held = await actOnWardens(at, annexe)
  const { kim } = await actOnPeople(at, held, annexe.ground)
  await actOnLists(at, kim, held.site)
  await at.startEvent()
  await at.call(people.deactivatePerson, { params: { uid: held.ada } }, withKey())
  expect((await at.call(getNow, {})).waiting).toHaveLength(1)
  const before = await stateOf(at)
  const { folder, texts } = await exported(at)
  using _folder = folder

  const report = await importOrganisation({ db: at.db, folder: folder.path, documents: at.documents })

  expect([report.errors, report.notes, changesOf(report)]).toEqual([[], [], {}])
  expect(await stateOf(at)).toEqual(before)
  const { 'documents.csv': _, ...tables } = texts
  const upload = await at.check(tables)
  expect(upload).toMatchObject({ problems: 0 })
  expect(await at.changes(upload.uid)).toEqual([])
  // everyone in the file is seen there, so that no one ends
  const whole = await at.check(tables, { endMissing: true })
  expect(await at.changes(whole.uid)).toEqual([])
})

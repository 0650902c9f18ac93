import { expect, test } from 'vitest'
import type { SiteUid, UploadUid } from '#kernel/ids.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { rowsOf } from '#server/testing/import-test.ts'
import { refused } from '#server/testing/refused.ts'
import { withKey } from '#server/testing/test-server.ts'
import { applyUpload, getUpload, listUploadProblems, listUploads, undoUpload } from '../calls.ts'
import { inUse, openUploading } from './uploads.fixture.ts'

const people = (rows: string) => `code,first_name,last_name,floor\n${rows}`

const problemsOf = async (at: Awaited<ReturnType<typeof openUploading>>, uid: UploadUid) =>
  (await at.call(listUploadProblems, { params: { uid } })).problems
    .map(({ file, reason }) => `${file} ${reason}`)
    .sort()

/** A change of every kind, in every file. */
const everything = {
  'organisation.csv': 'code,name,timezone\nSMALL,Small and Sons,Australia/Perth\n',
  'sites.csv': 'code,name,timezone\nS1,Main Place,Australia/Perth\nS2,New Site,Australia/Perth\n',
  'buildings.csv': 'site,code,name\nS1,B1,North Hall\nS1,B2,West House\nS2,B3,East House\n',
  'floors.csv':
    'building,code,name,level,kind\nB1,G,Level 1,0,floor\nB1,L1,Ground,3,area\nB1,L2,Level 2,2,floor\nB2,G,Ground,0,floor\nB3,G,Ground,0,floor\n',
  'roles.csv':
    'code,name,area_domain,modules\nCHIEF,Chief,Site,Event_Management\nFLOOR,Floor Warden,Floor,Floor_Evacuation\nAID,First Aid,Building,\n',
  'people.csv': `code,first_name,last_name,email,username,mobile,floor,kind,visit_date,is_client_master
P1,Ada,Abara,ada.abara@small.test,ada,0491 000 905,B1/L2,staff,,no
P2,Benno,Brandt,ben@small.test,benno,0491 000 902,B3/G,staff,,no
P9,Nina,Novak,nina@small.test,,,B1/L2,staff,,no
P3,Cleo,Cho,cleo@small.test,,,B2/G,staff,,no
`,
  'peeps.csv':
    'person,disability,assistance,other,summary,consent,consent_on,review_on\nP3,Deaf,Knock,,Flash the light,person,today,today+30\nP2,,Carry the chair,,,,,\n',
  'assignments.csv': `person,role,site,locations,date_from,date_to,status
P1,CHIEF,S1,,2020-01-01,2098-12-31,Accepted
P9,FLOOR,S1,B1/L2,today,today+9,Offered
`,
  'event_types.csv': 'code,type,description,message\nFIRE,Blaze,Fire or smoke,Leave now.\nGAS,Gas,A leak,Leave.\n',
  'floor_statuses.csv': 'code,name,colour,display_order,in_use\nNS,Not Begun,red,2,yes\nGO,Started,blue,1,yes\n',
  'templates.csv': 'code,type,text,automated_response\nE1,Evacuee,Are you all right?,0\nW1,Warden,Report in.,0\n',
  'documents.csv':
    'code,name,url,file,site,role,person\nD1,Map,https://example.com/map.pdf,,S1,,\nD2,Rota,https://example.com/rota.pdf,,,,P1\n',
}

test('IMP-14 PPL-33 an undo restores every row, and journals who did it', async () => {
  await using at = await openUploading()
  const before = await inUse(at.db)
  const upload = await at.check(everything, { endMissing: true })
  expect(await problemsOf(at, upload.uid)).toEqual([])
  const applied = await at.apply(upload.uid)
  const between = await inUse(at.db)

  expect(applied).toMatchObject({ state: 'applied', undo_until: expect.any(String) })
  expect(
    Object.keys(before).filter((table) => JSON.stringify(before[table]) === JSON.stringify(between[table])),
  ).toEqual([])
  const undone = await at.undo(upload.uid)

  expect(at.troubles).toEqual([])
  expect(undone).toMatchObject({ state: 'undone', undo_until: null, problems: 0, undone_at: expect.any(String) })
  expect(await inUse(at.db)).toEqual(before)
  expect(await rowsOf(at.db, "select after ->> 'left' as left from journal where action = 'tables_undone'")).toEqual([
    { left: '0' },
  ])
  const texts = ['Knock', 'Flash the light', 'Carry the chair', 'Tell in person']
  const elsewhere = await rowsOf(
    at.db,
    `select t from (select cells::text || title as t from upload_change union all select reason from upload_problem
       union all select coalesce(before::text, '') || coalesce(after::text, '') from journal) all_texts
     where t ~ '${texts.join('|')}'`,
  )
  expect(elsewhere).toEqual([])
})

test('IMP-14 rows that others have changed since are left and listed', async () => {
  await using at = await openUploading()
  const { uid } = await at.check({
    'people.csv': people('P1,Ada,Abara,B1/L1\nP2,Ben,Brandt,B1/G\nP8,New,One,B1/G\nP9,New,Two,B1/G\n'),
    'peeps.csv': 'person,disability,assistance,other,summary\nP3,Deaf,Knock,,Flash\nP2,,Carry,,\n',
    'floors.csv': 'building,code,name,level\nB1,L2,Level 2,2\nB1,L3,Level 3,3\n',
  })
  await at.apply(uid)
  await rowsOf(
    at.db,
    "update person set primary_floor_uid = (select uid from floor where code = 'L2') where code = 'P1'",
  )
  await rowsOf(at.db, "update person set mobile = '61491000999' where code in ('P2', 'P9')")
  await rowsOf(at.db, "update peep set made_by_upload_uid = null where active and assistance = 'Knock'")

  const undone = await at.undo(uid)

  expect(at.troubles).toEqual([])
  expect(undone).toMatchObject({ state: 'undone', problems: 4 })
  expect(await problemsOf(at, uid)).toEqual([
    'floors.csv B1/L2 Level 2: This is still in use: 1 person.',
    'peeps.csv P3 Cleo Cho: It has been changed since.',
    'people.csv P1 Ada Abara: It has been changed since.',
    'people.csv P9 New Two: It has been changed since.',
  ])
  const now = await rowsOf<{ t: string }>(
    at.db,
    "select p.code || ' ' || coalesce(f.code, '') || ' ' || p.active as t from person p left join floor f on f.uid = p.primary_floor_uid where p.code ~ '^P' order by 1",
  )
  expect(now.map(({ t }) => t)).toEqual(['P1 L2 true', 'P2 L1 true', 'P3 L1 true', 'P8 G false', 'P9 G true'])
  expect(await rowsOf(at.db, 'select code from floor where retired_at is null order by 1')).toEqual([
    { code: 'G' },
    { code: 'L1' },
    { code: 'L2' },
  ])
  // who has a plan is for those with the Plans permission
  const unmarked = await asAdministrator(at.server, await givenAdministrator(at.server, at.org))
  const seen = await unmarked(listUploadProblems, { params: { uid } })
  expect(seen.problems.map(({ file }) => file)).not.toContain('peeps.csv')
})

test('IMP-14 ORG-42 only the last upload, for seven days, not while an event runs, and no undo of an undo', async () => {
  await using at = await openUploading()
  const [first, second] = [
    await at.check({ 'people.csv': people('P3,Cleo,Chow,B1/L1\n') }),
    await at.check({ 'people.csv': people('P2,Ben,Brand,B1/L1\n'), 'peeps.csv': 'person,summary\nP2,Slow\n' }),
  ]
  const undo = (uid: typeof first.uid, call = at.call) => call(undoUpload, { params: { uid } }, withKey())
  const nothing = refused(undo(first.uid))
  expect(await nothing).toEqual(['invalid_transition'])
  await at.apply(first.uid)
  await at.apply(second.uid)
  const stale = await asAdministrator(at.server, at.admin, { confirmedAt: new Date(Date.now() - 11 * 60_000) })
  const unmarked = await asAdministrator(at.server, await givenAdministrator(at.server, at.org))
  const ofGroup = await givenAdministrator(at.server, at.org, {
    reach: 'site',
    siteUid: await siteOf(at.db),
  })
  const elsewhere = await asAdministrator(at.server, ofGroup)
  const may = async (call = at.call) =>
    (await call(listUploads, { query: {} })).rows.map(({ undo_until }) => undo_until !== null)

  expect([await may(), await may(unmarked), await may(elsewhere)]).toEqual([[true, false], [false, false], []])
  expect(
    await refused(undo(first.uid), undo(second.uid, stale), undo(second.uid, unmarked), undo(second.uid, elsewhere)),
  ).toEqual(['invalid_transition', 'confirm_identity', 'forbidden', 'not_found'])
  await rowsOf(at.db, "update upload set applied_at = applied_at - interval '7 days'")
  expect(await refused(undo(second.uid))).toEqual(['invalid_transition'])
  await rowsOf(at.db, "update upload set applied_at = applied_at + interval '7 days'")
  await at.startEvent()
  await expect(undo(second.uid)).rejects.toMatchObject({
    code: 'in_event',
    message: 'An event is running at Main Site. This can be changed when it has ended.',
  })
  await at.endEvent()

  expect(await at.undo(second.uid)).toMatchObject({ state: 'undone' })
  expect(await undo(second.uid)).toEqual({ state: 'undone' })
  expect(await at.undo(first.uid)).toMatchObject({ state: 'undone' })
  expect(await rowsOf(at.db, "select last_name from person where code in ('P2', 'P3') order by code")).toEqual([
    { lastName: 'Brandt' },
    { lastName: 'Cho' },
  ])
  expect(await rowsOf(at.db, 'select 1 as one from peep where active')).toHaveLength(1)
})

async function siteOf(db: Parameters<typeof rowsOf>[0]): Promise<SiteUid> {
  const [site] = await rowsOf<{ uid: SiteUid }>(db, 'select uid from site')
  if (!site) throw new Error('no site')
  return site.uid
}

test('IMP-14 IMP-10 many undo at once, and apply beside it: it is undone once', async () => {
  await using at = await openUploading()
  const { uid } = await at.check({ 'people.csv': people('P3,Cleo,Chow,B1/L1\nP9,New,One,B1/G\n') })
  await at.apply(uid)
  const other = await at.check({ 'people.csv': people('P2,Ben,Brand,B1/L1\n') })

  const asked = await Promise.allSettled([
    ...Array.from({ length: 8 }, () => at.call(undoUpload, { params: { uid } }, withKey())),
    at.call(applyUpload, { params: { uid: other.uid }, body: { ends: null } }, withKey()),
  ])
  await Promise.all([at.work(), at.work(), at.work()])
  await at.work()

  expect(at.troubles).toEqual([])
  const states = [uid, other.uid].map(async (one) => (await at.call(getUpload, { params: { uid: one } })).state)
  const isUndone = asked[0]?.status === 'fulfilled'
  expect(await Promise.all(states)).toEqual(isUndone ? ['undone', 'checked'] : ['applied', 'applied'])
  expect(await rowsOf(at.db, "select count(*)::int as n from journal where action = 'tables_undone'")).toEqual([
    { n: isUndone ? 1 : 0 },
  ])
})

test('IMP-14 ORG-44 ends that wait are dropped, and what has happened of them is taken back', async () => {
  await using at = await openUploading()
  const before = await inUse(at.db)
  await at.startEvent()
  const { uid } = await at.check(
    {
      'people.csv': people('P3,Cleo,Cho,B1/L1\nP2,Ben,Brandt,B1/L1\n'),
      'assignments.csv': 'person,role,site,locations,date_from,date_to\nP2,FLOOR,S1,B1/L1,today-10,today+300\n',
    },
    { endMissing: true },
  )
  await at.apply(uid)
  await at.endEvent()
  await at.wait()
  expect(await rowsOf(at.db, "select active from person where code = 'P1'")).toEqual([{ active: false }])
  const waits = () => rowsOf(at.db, 'select kind from waiting_change where done_at is null')
  expect(await waits()).toHaveLength(1)

  expect(await at.undo(uid)).toMatchObject({ state: 'undone', problems: 0 })
  expect(await waits()).toEqual([])
  expect(await inUse(at.db)).toEqual(before)
})

import { expect, test } from 'vitest'
import type { SiteUid } from '#kernel/ids.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { rowsOf } from '#server/testing/import-test.ts'
import { refused } from '#server/testing/refused.ts'
import { applyUpload, checkUpload, getUpload, listUploadChanges, listUploadProblems, undoUpload } from '../calls.ts'
import { openUploading } from './uploads.fixture.ts'

const peeps = 'person,disability,assistance,other,summary\nP2,Deaf,Tell in person,,Tell in person\n'

test('IMP-15 T38 a colleague sees an upload, but brings no files into it and applies nothing in the name of who opened it', async () => {
  await using at = await openUploading()
  const { uid } = await at.check({
    'people.csv': 'code,first_name,last_name,floor\nP9,Dan,Diaz,B1/G\n',
    'peeps.csv': peeps,
  })
  const colleague = await asAdministrator(at.server, await givenAdministrator(at.server, at.org))
  const seen = await colleague(getUpload, { params: { uid } })
  const files = [{ file: 'people.csv', parts: 1 }]

  expect([seen.by, seen.may_apply]).toEqual(['Nora Lind', false])
  expect(await at.send(colleague, uid, 'people.csv', Buffer.from('code\nP1\n'))).toMatchObject({ status: 403 })
  expect(
    await refused(
      colleague(checkUpload, { params: { uid }, body: { files, end_missing: false } }),
      colleague(applyUpload, { params: { uid }, body: { ends: null } }),
    ),
  ).toEqual(['forbidden', 'forbidden'])
})

test('IMP-07 T38 who has a plan is in the difference for those with the Plans permission alone', async () => {
  await using at = await openUploading()
  const { uid } = await at.check({
    'people.csv': 'code,first_name,last_name,floor\nP9,Dan,Diaz,B1/G\n',
    'peeps.csv': peeps,
  })
  const colleague = await asAdministrator(at.server, await givenAdministrator(at.server, at.org))
  const filesOf = async (call: typeof colleague) => {
    const { rows, total } = await call(listUploadChanges, { params: { uid }, query: {} })
    return [rows.map(({ file }) => file), total]
  }

  expect(await filesOf(at.call)).toEqual([['people.csv', 'peeps.csv'], 2])
  expect(await filesOf(colleague)).toEqual([['people.csv'], 1])
})

test('ORG-10 ORG-17 a file of a site asks no one beyond the site and brings no administrator back; its own rows pass unchanged', async () => {
  const people = `code,first_name,last_name,email,username,floor
P1,Ada,Abara,ada@small.test,,B1/G
P2,Ben,Brandt,ben@small.test,benb,B1/L1
P8,Far,Away,far@small.test,,
`
  await using at = await openUploading({ 'people.csv': people, 'peeps.csv': undefined, 'assignments.csv': undefined })
  const [site] = await rowsOf<{ uid: SiteUid }>(at.db, 'select uid from site')
  const ofSite = await asAdministrator(
    at.server,
    await givenAdministrator(at.server, at.org, { reach: 'site', siteUid: site?.uid as SiteUid }),
  )
  await at.db
    .insertInto('administrator')
    .columns(['clientUid', 'personUid', 'reach'])
    .expression((of) =>
      of
        .selectFrom('person')
        .select((p) => ['clientUid', 'uid', p.val('organisation').as('reach')])
        .where('code', '=', 'P2'),
    )
    .execute()
  const problemsOf = async (files: Record<string, string>) => {
    const { uid } = await at.check(files, { by: ofSite })
    return (await ofSite(listUploadProblems, { params: { uid } })).problems.map(
      ({ column, reason }) => `${column} ${reason}`,
    )
  }
  const own = people.replace(/P8.*\n/, '')
  const asked = (person: string) =>
    `person,role,site,locations,date_from,date_to,status\n${person},FLOOR,S1,B1/G,2026-01-01,2099-12-31,Accepted\n`

  expect(await problemsOf({ 'people.csv': own })).toEqual([])
  expect(await problemsOf({ 'assignments.csv': asked('P1') })).toEqual([])
  expect(await problemsOf({ 'assignments.csv': asked('P8') })).toEqual(['person is outside your reach'])
  await at.db.updateTable('person').set({ active: false }).where('code', '=', 'P2').execute()
  const { uid } = await at.check({ 'people.csv': own }, { by: ofSite })
  expect((await at.changes(uid)).map(({ kind, title }) => [kind, title])).toEqual([
    ['left', 'Only an administrator of the whole organisation can do this.'],
  ])
})

/** Two sites. P1, whose desk is at the first, starts events at the second. */
const twoSites = {
  'sites.csv': 'code,name,timezone\nS1,Main Site,Australia/Sydney\nS2,Away,Australia/Sydney\n',
  'assignments.csv':
    'person,role,site,locations,date_from,date_to,status\nP1,CHIEF,S2,,2020-01-01,2099-12-31,Accepted\n',
}
const people = (ada: string, cleo: string) => `code,first_name,last_name,email,mobile,floor
P1,Ada,Abara,ada@small.test,${ada},B1/G
P3,Cleo,Cho,cleo@small.test,${cleo},B1/L1
`
const mobilesOf = async (at: Awaited<ReturnType<typeof openUploading>>) =>
  (
    await rowsOf<{ mobile: string }>(
      at.db,
      "select mobile from account where email in ('ada@small.test', 'cleo@small.test')",
    )
  ).concat(await rowsOf(at.db, "select mobile from person where code in ('P1', 'P3') order by code"))

test('AUTH-24 AUTH-22 a file leaves the row of a person with a role beyond, with the reason, and changes the others', async () => {
  await using at = await openUploading(twoSites)
  const [site] = await rowsOf<{ uid: SiteUid }>(at.db, "select uid from site where code = 'S1'")
  const given = await givenAdministrator(at.server, at.org, { reach: 'site', siteUid: site?.uid as SiteUid })
  const ofSite = await asAdministrator(at.server, given)
  const before = await mobilesOf(at)

  const { uid } = await at.check({ 'people.csv': people('0491 000 999', '0491 000 903') }, { by: ofSite })
  const found = await at.changes(uid)
  const applied = await at.apply(uid, null, ofSite)

  expect(found.filter(({ kind }) => kind === 'left').map(({ title }) => title)).toEqual([
    'Ada Abara also has a role outside your reach. Ask an administrator of the whole organisation.',
  ])
  expect(applied).toMatchObject({ state: 'applied', changed: 1, left: 1 })
  expect(await mobilesOf(at)).toEqual([...before.slice(0, -1), { mobile: '61491000903' }])
})

test('AUTH-24 AUTH-23 AUTH-27 one code is for all rows of a file, its undo asks for one, too, and each person is told', async () => {
  await using at = await openUploading(twoSites)
  const past = new Date(Date.now() - 11 * 60_000)
  const stale = await asAdministrator(at.server, at.admin, { confirmedAt: past })
  const { uid } = await at.check({ 'people.csv': people('0491 000 999', '0491 000 903') })

  expect(await refused(stale(applyUpload, { params: { uid }, body: { ends: null } }))).toEqual(['confirm_identity'])
  const applied = await at.apply(uid)
  const moved = await mobilesOf(at)
  expect(await refused(stale(undoUpload, { params: { uid } }))).toEqual(['confirm_identity'])
  await at.undo(uid)

  expect(applied).toMatchObject({ state: 'applied', changed: 2, left: 0 })
  expect(moved).toContainEqual({ mobile: '61491000999' })
  expect(await mobilesOf(at)).not.toContainEqual({ mobile: '61491000999' })
  expect(at.troubles).toEqual([])
})

test('AUTH-24 an undo is decided when it happens: who is beyond by then stays as they are', async () => {
  await using at = await openUploading()
  const [site] = await rowsOf<{ uid: SiteUid }>(at.db, "select uid from site where code = 'S1'")
  const given = await givenAdministrator(at.server, at.org, { reach: 'site', siteUid: site?.uid as SiteUid })
  const ofSite = await asAdministrator(at.server, given)
  const { uid } = await at.check({ 'people.csv': people('0491 000 901', '0491 000 903') }, { by: ofSite })
  await at.apply(uid, null, ofSite)
  await rowsOf(
    at.db,
    `insert into administrator (client_uid, person_uid, reach) select client_uid, uid, 'organisation' from person where code = 'P3'`,
  )

  await at.undo(uid, ofSite)

  expect(await rowsOf(at.db, "select mobile from person where code = 'P3'")).toEqual([{ mobile: '61491000903' }])
  const { problems } = await ofSite(listUploadProblems, { params: { uid } })
  expect(problems.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('Only an administrator of the whole organisation can do this.'),
  ])
})

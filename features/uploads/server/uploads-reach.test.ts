import { expect, test } from 'vitest'
import type { SiteUid } from '#kernel/ids.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { rowsOf } from '#server/testing/import-test.ts'
import { refused } from '#server/testing/refused.ts'
import { applyUpload, checkUpload, getUpload, listUploadChanges, listUploadProblems } from '../calls.ts'
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
  expect(await problemsOf({ 'people.csv': own })).toEqual([
    ' is an administrator: only an administrator of the whole organisation can change how they sign in',
  ])
})

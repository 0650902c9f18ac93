import { expect } from 'vitest'
import type { AssignmentUid } from '#kernel/ids.ts'
import type { Warden } from '#server/testing/given-wardens.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { listDocuments } from '../calls/assignments.ts'

test('API-24 DOCS-04 the documents of site, role and person, by name, as https links; none of another site or role', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const other = await server.given.site(org)
  const roleUid = await roleOf(server, warden)
  const chiefRoleUid = await roleOf(server, await server.given.warden(org, { role: 'Chief Warden' }))
  const { clientUid } = org
  await server.db
    .insertInto('document')
    .values([
      { clientUid, code: 'z', name: 'Zones', url: 'https://plans.test/zones', siteUid: org.siteUid },
      { clientUid, code: 'a', name: 'Assembly', url: 'https://plans.test/a', personUid: warden.personUid },
      { clientUid, code: 'o', name: 'Other site', url: 'https://plans.test/o', siteUid: other.siteUid },
      { clientUid, code: 'g', name: 'Gone', url: 'https://plans.test/g', siteUid: org.siteUid, active: false },
      { clientUid, code: 'r', name: 'Role card', url: 'https://plans.test/r', roleUid },
      {
        clientUid,
        code: 'h',
        name: 'Other role',
        url: 'https://plans.test/h',
        roleUid: chiefRoleUid,
        siteUid: org.siteUid,
      },
    ])
    .execute()

  const answer = await (await server.as(warden))(listDocuments, {
    query: { wardenAssignmentUID: warden.assignmentUid },
  })

  expect(answer.documents).toEqual([
    { Document_Name: 'Assembly', Document_S3_Link: 'https://plans.test/a' },
    { Document_Name: 'Role card', Document_S3_Link: 'https://plans.test/r' },
    { Document_Name: 'Zones', Document_S3_Link: 'https://plans.test/zones' },
  ])
})

async function roleOf({ db }: TestServer, { assignmentUid }: Warden) {
  const assignment = db.selectFrom('wardenAssignment').select('roleUid').where('uid', '=', assignmentUid)
  return (await assignment.executeTakeFirstOrThrow()).roleUid
}

test("ASSIGN-24 API-24 T2 another's assignment answers as one that does not exist", async ({ server }) => {
  const org = await server.given.organisation()
  const [warden, colleague] = [await server.given.warden(org), await server.given.warden(org)]
  const elsewhere = await server.given.warden(await server.given.organisation(), { accountUid: warden.accountUid })
  await server.db.updateTable('client').set({ active: false }).where('uid', '=', elsewhere.clientUid).execute()
  const call = await server.as(warden)
  const unknown = '00000000-0000-4000-8000-000000000000' as AssignmentUid

  for (const wardenAssignmentUID of [colleague.assignmentUid, elsewhere.assignmentUid, unknown])
    await expect(call(listDocuments, { query: { wardenAssignmentUID } })).rejects.toMatchObject({
      code: 'not_found',
      message: 'Not found.',
    })
})

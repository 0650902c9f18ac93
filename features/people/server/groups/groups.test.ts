import { expect } from 'vitest'
import { appointAdministrator } from '#features/administrators/calls/administrators.ts'
import type { GroupUid, PersonUid } from '#kernel/ids.ts'
import { asAdministrator, givenAdministrator, givenGroup } from '#server/testing/administrators.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { addGroup, changeGroup, changeMembers, getGroup, listGroups } from '../../calls/groups.ts'
import { listPeople } from '../../calls/people.ts'

/** An organisation with an administrator, and what they do with groups. */
async function administered(server: TestServer) {
  const org = await server.given.organisation()
  const admin = await givenAdministrator(server, org)
  const call = await asAdministrator(server, admin)
  const see = (uid: GroupUid) => call(getGroup, { params: { uid } })
  const add = (name: string, code?: string) =>
    call(addGroup, { body: { name, ...(code !== undefined && { code }) } }, withKey())
  const change = async (
    uid: GroupUid,
    fields: { name?: string; code?: string; in_use?: boolean },
    version?: string,
  ) => {
    const { version: now, name, in_use } = await see(uid)
    return call(changeGroup, { params: { uid }, body: { version: version ?? now, name, in_use, ...fields } }, withKey())
  }
  const members = (uid: GroupUid, body: { add?: PersonUid[]; remove?: PersonUid[] }) =>
    call(changeMembers, { params: { uid }, body: { add: [], remove: [], ...body } }, withKey())
  return { org, admin, call, see, add, change, members }
}

test('PPL-18 a group gets a code, and is listed by name with its members and who administers it', async ({
  server,
}) => {
  const { org, call, add, members } = await administered(server)
  const { uid } = await add(' dental ')
  const archive = await add('Archive', 'ARCH')
  const [kim, left] = [await server.given.occupant(org), await server.given.occupant(org, { active: false })]
  await members(uid, { add: [kim, left] })
  await givenAdministrator(server, org, { reach: 'group', groupUid: uid, firstName: 'Ann', lastName: 'Berg' })

  const { rows, total } = await call(listGroups, {})

  expect(total).toBe(2)
  expect(rows).toMatchObject([
    { uid: archive.uid, name: 'Archive', code: 'ARCH', members: 0, kept_by: [], in_use: true },
    { uid, name: 'dental', code: 'G-001', members: 2, kept_by: ['Ann Berg'], in_use: true },
  ])
  const names = async (q: string) => (await call(listGroups, { query: { q } })).rows.map(({ name }) => name)
  expect([await names('DEN'), await names('arch'), await names('g-0'), await names('%')]).toEqual([
    ['dental'],
    ['Archive'],
    ['dental'],
    [],
  ])
})

test('PPL-18 members are added and taken out; twice is no error, and each is in the journal', async ({ server }) => {
  const { org, admin, call, members } = await administered(server)
  const groupUid = await givenGroup(server, org)
  const [kim, lee] = [await server.given.occupant(org), await server.given.occupant(org)]

  expect(await members(groupUid, { add: [kim, lee, kim] })).toEqual({ added: 2, removed: 0 })
  expect(await members(groupUid, { add: [kim] })).toEqual({ added: 0, removed: 0 })
  expect(await members(groupUid, { remove: [lee] })).toEqual({ added: 0, removed: 1 })
  expect(await members(groupUid, { remove: [lee] })).toEqual({ added: 0, removed: 0 })

  expect((await call(listPeople, { query: { group: groupUid } })).rows).toMatchObject([{ uid: kim }])
  expect(await server.journalOf(lee)).toMatchObject([
    { action: 'group_changed', actorPersonUid: admin.personUid, after: { group_uid: groupUid } },
    { action: 'group_changed', before: { group_uid: groupUid } },
  ])
  expect(await server.journalOf(kim)).toHaveLength(1)
})

test('PPL-18 with one unknown person no one is added, and a group out of use takes no one', async ({ server }) => {
  const { org, see, change, members } = await administered(server)
  const abroad = await server.given.organisation()
  const groupUid = await givenGroup(server, org)
  const [kim, stranger] = [await server.given.occupant(org), await server.given.occupant(abroad)]

  expect(await refused(members(groupUid, { add: [kim, stranger] }))).toEqual(['not_found'])
  expect((await see(groupUid)).members).toBe(0)
  await change(groupUid, { in_use: false })
  expect(await refused(members(groupUid, { add: [kim] }))).toEqual(['not_found'])
})

test('PPL-18 no two groups in use share a name, none a code, and one out of use leaves its name free', async ({
  server,
}) => {
  const { call, add, change } = await administered(server)
  const { uid } = await add('Dental', 'D')
  const other = await add('Archive')

  expect(
    await refused(
      add('DENTAL'),
      add('Other', 'D'),
      add(' '),
      change(other.uid, { name: 'dental' }),
      change(other.uid, { code: 'D' }),
    ),
  ).toEqual(['taken', 'taken', 'invalid_request', 'taken', 'taken'])
  await change(uid, { in_use: false })
  await add('Dental')
  expect(await refused(change(uid, { in_use: true }))).toEqual(['taken'])
  const shown = async (state?: 'out' | 'all') => (await call(listGroups, { query: { ...(state && { state }) } })).total
  expect([await shown(), await shown('out'), await shown('all')]).toEqual([2, 1, 3])
})

test('PPL-18 ORG-11 a group that an administrator has as reach stays in use', async ({ server }) => {
  const { org, see, change } = await administered(server)
  const groupUid = await givenGroup(server, org)
  await givenAdministrator(server, org, { reach: 'group', groupUid, firstName: 'Ann', lastName: 'Berg' })

  await expect(change(groupUid, { in_use: false })).rejects.toMatchObject({
    code: 'in_use',
    message: 'Ann Berg administers this group. Revoke their access first.',
  })
  expect((await see(groupUid)).in_use).toBe(true)
})

test('ORG-33 PPL-18 who saves an older state of a group is told, of many at once one saves', async ({ server }) => {
  const { org, see, change } = await administered(server)
  const groupUid = await givenGroup(server, org)
  const { version } = await see(groupUid)

  const answers = await Promise.allSettled(
    Array.from({ length: 8 }, (_, n) => change(groupUid, { name: `Name ${n}` }, version)),
  )

  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const messages = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason.message] : []))
  expect(messages).toHaveLength(7)
  for (const message of messages) expect(message).toMatch(/^Someone else changed this at \d\d:\d\d\.$/)
})

test('PPL-18 of eight who add a group of one name at once, one does', async ({ server }) => {
  const { call, add } = await administered(server)

  const answers = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => add('Dental', `D${n}`)))

  expect(answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason.code] : []))).toEqual(
    Array(7).fill('taken'),
  )
  expect((await call(listGroups, {})).total).toBe(1)
})

test('PPL-18 ORG-11 of taking a group out of use and appointing to it at once, one does', async ({ server }) => {
  const { org, call, change } = await administered(server)
  const groupUid = await givenGroup(server, org)
  const person = await server.given.occupant(org)
  const held = await server.hold('people_group', groupUid, 'no key update')

  const retired = refused(change(groupUid, { in_use: false }))
  await held.waiting(1)
  const appointed = refused(
    call(appointAdministrator, { body: { person, reach: 'group', group: groupUid, sees_plans: false } }, withKey()),
  )
  await Promise.race([appointed, held.waiting(2)])
  await held.release()

  expect([await retired, await appointed]).toEqual([['answered'], ['not_found']])
})

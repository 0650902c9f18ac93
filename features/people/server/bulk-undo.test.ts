import { tmpdir } from 'node:os'
import { expect } from 'vitest'
import { getUpload, listUploadProblems, listUploads, undoUpload } from '#features/uploads/calls.ts'
import { workOnUploads } from '#features/uploads/server/upload-work.service.ts'
import type { PersonUid, UploadUid } from '#kernel/ids.ts'
import type { GivenInput } from '#kernel/route.ts'
import { folderStore } from '#server/platform/documents/document-folder.ts'
import { asAdministrator, givenAdministrator, givenGroup } from '#server/testing/administrators.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { listPeople } from '../calls/people.ts'
import { changePeople } from '../calls/people-bulk.ts'

type Wanted = GivenInput<typeof changePeople>['body']

async function administered(server: TestServer) {
  const org = await server.given.organisation()
  const call = await asAdministrator(server, await givenAdministrator(server, org))
  const several: PersonUid[] = []
  for (const firstName of ['Ann', 'Ben', 'Cleo'])
    several.push(await server.given.occupant(org, { firstName, lastName: 'Lee' }))
  const act = (body: Wanted) => call(changePeople, { body }, withKey())
  const people = async (query: GivenInput<typeof listPeople>['query']) =>
    (await call(listPeople, { query })).rows.filter(({ uid }) => several.includes(uid)).length
  const undo = async (uid: UploadUid | null) => {
    if (!uid) throw new Error('nothing to undo')
    await call(undoUpload, { params: { uid } }, withKey())
    await workOnUploads({
      system: server.db,
      documents: folderStore(tmpdir()),
      announce: () => undefined,
      sends: { mails: false, texts: false },
      onTrouble: (error) => expect.fail(String(error)),
      stopping: new AbortController().signal,
    })
    return (await call(getUpload, { params: { uid } })).state
  }
  return { org, call, act, people, undo, several }
}

test('PPL-15 the difference of ticked people comes first and changes nothing', async ({ server }) => {
  const { org, call, act, people, several } = await administered(server)

  const before = await act({ people: several, act: 'move', place: org.otherFloorUid, preview: true })

  expect(before).toMatchObject({ done: 3, waits: 0, left: [], upload: null })
  expect(before.difference.map(({ title, kind }) => `${kind} ${title.split(' ').slice(1).join(' ')}`).sort()).toEqual([
    'changed Ann Lee',
    'changed Ben Lee',
    'changed Cleo Lee',
  ])
  expect(before.difference[0]?.cells.map(({ column }) => column)).toEqual(['floor'])
  expect(await people({ place: org.otherFloorUid })).toBe(0)
  expect((await call(listUploads, { query: {} })).rows).toEqual([])
  expect(await server.journalOf(several[0] as PersonUid)).toEqual([])
})

test('PPL-15 IMP-14 a move, a deactivation and both acts on a group are uploads of their own kind, and undone', async ({
  server,
}) => {
  const { org, call, act, people, undo, several } = await administered(server)
  const group = await givenGroup(server, org)
  await act({ people: several.slice(0, 1), act: 'add_to_group', group })

  const moved = await act({ people: several, act: 'move', place: org.otherFloorUid })
  const added = await act({ people: several, act: 'add_to_group', group })
  const taken = await act({ people: several.slice(1), act: 'take_out_of_group', group })
  const ended = await act({ people: several, act: 'deactivate' })
  const now = async () => [
    await people({ place: org.otherFloorUid }),
    await people({ group }),
    await people({ state: 'inactive' }),
  ]
  const history = async () =>
    (await call(listUploads, { query: {} })).rows.map(({ kind, state, added, changed, ended, undo_until }) =>
      [kind, state, added, changed, ended, undo_until !== null].join(' '),
    )

  expect(await history()).toEqual([
    'deactivate applied 0 0 3 true',
    'take_out_of_group applied 0 0 2 false',
    'add_to_group applied 2 0 0 false',
    'move applied 0 3 0 false',
    'add_to_group applied 1 0 0 false',
  ])
  expect(await refused(undo(moved.upload))).toEqual(['invalid_transition'])
  expect([await undo(ended.upload), await now()]).toEqual(['undone', [3, 1, 0]])
  expect([await undo(taken.upload), await now()]).toEqual(['undone', [3, 3, 0]])
  expect([await undo(added.upload), await now()]).toEqual(['undone', [3, 1, 0]])
  expect([await undo(moved.upload), await now()]).toEqual(['undone', [0, 1, 0]])
})

test('PPL-15 IMP-14 an invitation is taken back while no one has used it', async ({ server }) => {
  const { org, call, act, undo } = await administered(server)
  const [told, invited] = [await server.given.warden(org), await server.given.warden(org)]
  await server.db.updateTable('account').set({ passwordHash: null }).where('uid', '=', invited.accountUid).execute()

  const sent = await act({ people: [told.personUid, invited.personUid], act: 'invite' })
  const open = () => server.db.selectFrom('invitation').select('personUid').where('voidedAt', 'is', null).execute()

  expect(sent.difference.flatMap(({ cells }) => cells.map(({ after }) => after)).sort()).toEqual(['invited', 'told'])
  expect(await open()).toEqual([{ personUid: invited.personUid }])
  expect(await undo(sent.upload)).toBe('undone')
  expect(await open()).toEqual([])
  const { problems } = await call(listUploadProblems, { params: { uid: sent.upload as UploadUid } })
  expect(problems.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('There is no open invitation to take back.'),
  ])
})

test('PPL-15 many do the same at once: one upload has the change', async ({ server }) => {
  const { org, call, act, several } = await administered(server)

  const all = await Promise.all(
    Array.from({ length: 6 }, () => act({ people: several, act: 'move', place: org.otherFloorUid })),
  )

  expect(all.filter(({ upload }) => upload !== null)).toHaveLength(1)
  expect((await call(listUploads, { query: {} })).rows).toHaveLength(1)
})

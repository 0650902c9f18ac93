import { expect, test } from 'vitest'
import { openPool } from '../../platform/db/db.ts'
import { lockEpoch, readDatabaseIdentity, saveEpoch } from './epoch.queries.ts'
import { openEpoch } from './epoch.ts'
import { type Journal, openJournal } from './feed.fixture.ts'

const xids = async (journal: Journal) =>
  (await journal.owner.selectFrom('journal').select('xid').execute()).map(({ xid }) => xid)
const note = { action: 'floor_status_set', subjectUid: '00000000-0000-4000-8000-000000000001' }

/** Makes this database look as if it came from elsewhere. */
const comeFrom = (journal: Journal, systemIdentifier: string) =>
  journal.owner.updateTable('feedEpoch').set({ systemIdentifier }).execute()

test('HUB-27 the epoch stays the same across restarts', async () => {
  await using journal = await openJournal()

  const first = await openEpoch(journal.system)

  expect(await openEpoch(journal.system)).toBe(first)
  expect(first).toBe(`${await readDatabaseIdentity(journal.system)}-0`)
})

test('HUB-27 a database from another cluster gets a new epoch, and its old transaction ids no longer count', async () => {
  await using journal = await openJournal()
  const first = await openEpoch(journal.system)
  await journal.write(note)
  await comeFrom(journal, '7000000000000000001/00000001/5')

  const moved = await openEpoch(journal.system)
  const written = await journal.write(note)

  expect(moved).toBe(first.replace(/-0$/, '-1'))
  expect(await xids(journal)).toEqual(['0', `${written}`])
  expect(await openEpoch(journal.system)).toBe(moved)
})

test.for([
  ['to an earlier point in time', (identity: string) => identity.replace(/\/\w{8}\//, '/0000000A/')],
  ['from a dump into a new database', (identity: string) => identity.replace(/\d+$/, '1')],
] as const)('HUB-27 a database restored in its cluster %s gets a new epoch and keeps its ids', async ([, change]) => {
  await using journal = await openJournal()
  const first = await openEpoch(journal.system)
  const written = await journal.write(note)
  await comeFrom(journal, change(await readDatabaseIdentity(journal.system)))

  const restored = await openEpoch(journal.system)

  expect(restored).toBe(first.replace(/-0$/, '-1'))
  expect(await xids(journal)).toEqual([`${written}`])
})

test('HUB-27 a process that detects the move while another one handles it keeps what was written since', async () => {
  await using journal = await openJournal()
  await openEpoch(journal.system)
  const systemIdentifier = await readDatabaseIdentity(journal.system)
  await comeFrom(journal, 'elsewhere/1/1')
  const other = await journal.system.startTransaction().execute()
  await lockEpoch(other)

  const opening = openEpoch(journal.system)
  await expect.poll(() => journal.countWaiting('advisory')).toBe(1)
  await saveEpoch(other, { systemIdentifier, restores: 1 })
  const written = await journal.write(note)
  await other.commit().execute()

  expect(await opening).toMatch(/-1$/)
  expect(await xids(journal)).toEqual([`${written}`])
})

test('HUB-27 two databases of one cluster have different epochs', async () => {
  await using journal = await openJournal()
  const other = openPool({ ...journal.connection, database: 'postgres' }, undefined, 1)

  const identities = await Promise.all([journal.system, other.db].map(readDatabaseIdentity))
  await other.close()

  expect(new Set(identities).size).toBe(2)
})

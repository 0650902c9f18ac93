import { expect } from 'vitest'
import { rowsOf } from '#server/testing/import-test.ts'
import { test } from '#server/testing/server-test.ts'
import { withKey } from '#server/testing/test-server.ts'
import { downloadPerson } from '../calls/person-data.ts'
import { givenNamed } from './erase.fixture.ts'

/** What an erasure empties or replaces. A new column of a person belongs here, and into the last update of `erasePerson`. */
const erased = [
  ...[
    'account_uid',
    'code',
    'email',
    'first_name',
    'folded_name',
    'is_client_master',
    'last_name',
    'mobile',
    'name',
    'primary_floor_uid',
    'second_mobile',
  ],
  'search_name',
  'visiting_building_uid',
]
/** What says nothing of a person without a name, and what past events and lists still need. */
const kept = [
  ...['active', 'client_uid', 'created_at', 'erased_at', 'kind', 'merged_into_uid', 'uid', 'updated_at', 'visit_date'],
]

test('PPL-16 PPL-17 each column of a person is erased or kept on purpose, and stands in the file of their data', async ({
  server,
}) => {
  const at = await givenNamed(server)
  const { db } = server
  const columns = (
    await rowsOf<{ name: string }>(
      db,
      "select column_name as name from information_schema.columns where table_name = 'person' and table_schema = 'public'",
    )
  ).map(({ name }) => name)
  // only a column that has something can show that it is emptied
  await rowsOf(
    db,
    `update person set is_client_master = true, visiting_building_uid = '${at.org.buildingUid}', second_mobile = '61391000001' where uid = '${at.personUid}'`,
  )
  const stored = async () => {
    const [row] = await rowsOf<{ row: Record<string, unknown> }>(
      db,
      `select to_jsonb(p) as row from person p where uid = '${at.personUid}'`,
    )
    return row?.row ?? {}
  }
  const before = await stored()
  const { person } = await at.call(downloadPerson, { params: { uid: at.personUid } }, withKey())
  await at.deactivate()
  await at.erase()
  const after = await stored()

  expect(columns.toSorted()).toEqual([...erased, ...kept].toSorted())
  expect(columns.filter((column) => !(column in person))).toEqual(['client_uid'])
  for (const column of erased) {
    expect.soft(before[column], column).not.toBeNull()
    expect.soft(after[column], column).not.toEqual(before[column])
  }
})

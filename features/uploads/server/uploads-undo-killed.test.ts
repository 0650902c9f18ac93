import { expect, test } from 'vitest'
import type { UploadUid } from '#kernel/ids.ts'
import { rowsOf } from '#server/testing/import-test.ts'
import { getUpload, undoUpload } from '../calls.ts'
import { inUse, openUploading } from './uploads.fixture.ts'

type Uploading = Awaited<ReturnType<typeof openUploading>>

/** 5,600 people more, as if the upload had brought them. */
async function addMany(at: Uploading, uid: UploadUid) {
  await rowsOf(
    at.db,
    `insert into person (client_uid, code, first_name, last_name, primary_floor_uid)
       select f.client_uid, 'M' || n, 'Mira', 'Many', f.uid from generate_series(0, 5599) n, floor f where f.code = 'G'`,
  )
  const cells = ['code', 'first_name', 'last_name', 'floor', 'kind', 'is_client_master', 'active']
  const values = ["'M' || n", "'Mira'", "'Many'", "'B1/G'", "'staff'", "'no'", "'yes'"]
  const pairs = cells.map(
    (column, n) => `jsonb_build_object('column', '${column}', 'before', null, 'after', ${values[n]})`,
  )
  await rowsOf(
    at.db,
    `insert into upload_change (client_uid, upload_uid, seq, file, kind, title, cells)
       select client_uid, uid, 100 + n, 'people.csv', 'added', 'M', jsonb_build_array(${pairs.join(', ')})
       from generate_series(0, 5599) n, upload where uid = '${uid}'`,
  )
  await rowsOf(at.db, `update upload set changes = changes + 5600 where uid = '${uid}'`)
}

test('IMP-14 IMP-10 an undo of more than 5,000 changes goes on by steps after its worker was killed twice', async () => {
  await using at = await openUploading()
  const before = await inUse(at.db)
  const upload = await at.check({
    'people.csv': 'code,first_name,last_name,floor\nP3,Cleo,Chow,B1/G\n',
    'peeps.csv': 'person,summary\nP3,Knock\nP2,Slow\n',
  })
  await at.apply(upload.uid)
  await addMany(at, upload.uid)
  await at.call(undoUpload, { params: { uid: upload.uid } })

  const count = async () => {
    const [row] = await rowsOf<{ n: number }>(
      at.db,
      "select count(*)::int as n from person where code like 'M%' and active",
    )
    return row?.n
  }
  const rowOf = (code: string) => `select from person where code = '${code}' for update`
  await at.killAt(rowOf('M520'))
  const afterOne = await count()
  await at.killAt(rowOf('M1600'))
  const afterTwo = await count()
  const between = await at.call(getUpload, { params: { uid: upload.uid } })
  await Promise.all([at.work(), at.work()])

  expect(at.troubles).toHaveLength(2)
  expect([afterOne, afterTwo]).toEqual([5_101, 4_101])
  expect(between.state).toBe('undoing')
  expect(await inUse(at.db)).toEqual(before)
  const told = "select after from journal where action in ('tables_undone', 'person_deactivated')"
  expect(await rowsOf(at.db, told)).toEqual([{ after: { rows: 5_603, left: 0 } }])
  expect(await rowsOf(at.db, "select count(*)::int as n from person where code like 'M%'")).toEqual([{ n: 5_600 }])
})

import { expect } from 'vitest'
import { sealEvent } from '#features/log/server/sealing.service.ts'
import { test } from '#server/testing/server-test.ts'
import * as figures from '../figures.queries.ts'
import { givenDrilled, writeRecords } from '../records.fixture.ts'
import { countEvent } from './count.service.ts'

test('REC2-27 what the sealer packed counts as its rows do, and goes when the record is ready', async ({ server }) => {
  const { start, end, warden, persons, org } = await givenDrilled(server)
  const eventUid = await start()
  const { mark, refuse, clear } = await warden()
  const [one, two, three] = persons
  await mark(`${one}`, 'danger', 40)
  await mark(`${one}`, 'safe')
  await mark(`${one}`, 'danger', 60)
  await mark(`${two}`, 'safe')
  await refuse(`${three}`)
  await clear()
  await mark(`${three}`, 'danger')
  await end()
  const { db } = server.database.system
  const of = { clientUid: org.clientUid, eventUid }
  const count = () =>
    db.transaction().execute(async (tx) => {
      const { ended, steps, walked, answers, contact, late } = await countEvent(tx, of, await figures.getEnded(tx, of))
      return { ended, steps, walked, answers, contact, late }
    })
  const tiles = () => server.db.selectFrom('logTile').where('eventUid', '=', eventUid).where('file', '=', 'journal')
  await expect.poll(async () => (await sealEvent(db, of)).isWhole).toBe(true)
  const packed = await tiles().select('facts').executeTakeFirstOrThrow()
  const counted = await count()
  // were the rows read, this would count
  await server.db
    .updateTable('journal')
    .set({ after: JSON.stringify({ status: 'safe' }) })
    .where('eventUid', '=', eventUid)
    .where('action', '=', 'evacuee_status_set')
    .where('subjectUid', '=', `${three}`)
    .execute()

  expect(await count()).toEqual(counted)
  expect(counted.ended.map(({ status }) => status).toSorted()).toEqual(['danger', 'danger', 'safe', 'unknown'])
  await server.db.updateTable('logTile').set({ facts: null }).where('eventUid', '=', eventUid).execute()
  expect(await count()).not.toEqual(counted)
  await server.db
    .updateTable('logTile')
    .set(packed)
    .where('eventUid', '=', eventUid)
    .where('file', '=', 'journal')
    .execute()
  await writeRecords(server)
  expect(await tiles().select('facts').execute()).toEqual([{ facts: null }])
})

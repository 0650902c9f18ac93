import { expect } from 'vitest'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { withKey } from '#server/testing/test-server.ts'
import { addToRecord, findOwners } from '../../calls/additions.ts'
import { givenRecord } from '../records.fixture.ts'

test('AAR-31, AAR-02: an owner is found by name among people of the own places, and no one else may be named', async ({
  server,
}) => {
  const { org, chief, manager, eventUid } = await givenRecord(server)
  const [ground, first] = org.floors
  const here = await server.given.warden(org, { firstName: 'Zoe Quinn', floorUid: first })
  const elsewhere = await server.given.warden(org, { firstName: 'Zoe Quill', floorUid: ground })
  const away = await server.given.warden(await server.given.organisation(), { firstName: 'Zoe Quist' })
  const ofFloor = await server.as(
    await server.given.warden(org, { floorUid: first, modules: ['Module_Event_Records'] }),
  )
  const find = async (q: string, call = manager) =>
    (await call(findOwners, { query: { q } })).people.map(({ person, place }) => [person, place])
  const mine = [here.personUid, 'Tower A - Level 1']

  expect(await find('zoe qu')).toEqual([[elsewhere.personUid, 'Tower A - Ground'], mine])
  expect(await find('zoe qu', ofFloor)).toEqual([mine])
  await server.db.updateTable('person').set({ primaryFloorUid: null }).where('uid', '=', chief.personUid).execute()
  // no floor, but a warden of the site
  expect(await find('Chief')).toContainEqual([chief.personUid, null])
  const own = (person: string, call = manager) =>
    call(
      addToRecord,
      {
        params: { eventUid },
        body: {
          kind: 'action',
          body: { what: 'Oil the door', priority: 'Low', owner: { person, name: 'Any' } as never, due: '2034-01-09' },
        },
      },
      withKey(),
    )
  expect(await refused(own(away.personUid), own(elsewhere.personUid, ofFloor), own(here.personUid, ofFloor))).toEqual([
    'not_found',
    'not_found',
    'answered',
  ])
  // the name that the server knows
  expect((await own(elsewhere.personUid)).entry.body.owner).toMatchObject({
    person: elsewhere.personUid,
    name: expect.stringMatching(/^Zoe Quill /),
  })
})

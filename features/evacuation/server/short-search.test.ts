import { sql } from 'kysely'
import { expect } from 'vitest'
import { defaultFilters } from '#kernel/kinds.ts'
import { test } from '#server/testing/server-test.ts'
import { searchEventPeople } from '../calls/floor-overview.ts'
import { filterEvacuees } from '../calls/safety.ts'

test('FES-03 SAFE-24 a text without three letters in a row is looked for in the event, not in the whole organisation', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const { occupant } = server.given
  await occupant(org, { firstName: 'Zoe', lastName: "O'Z 1", mobile: '61491570006' })
  await occupant(org, { firstName: 'Bob', lastName: 'Zed', mobile: null })
  await occupant(org, { firstName: 'Zoe', lastName: 'Elsewhere', floorUid: org.otherFloorUid })
  const warden = await server.given.warden(org)
  await server.runningEvent(org)
  const call = await server.onDuty(warden)
  const search = async (text: string) => {
    const { peeps } = await call(searchEventPeople, { params: { text }, query: {} })
    return peeps.map(({ name }) => name)
  }
  const filter = async (text: string) => {
    const page = await call(filterEvacuees, { query: {}, body: { ...defaultFilters, area: 'everyone', search: text } })
    return page.evacuees.map(({ name }) => name)
  }
  expect(await filter('0491 570')).toEqual(["Zoe O'Z 1"])
  expect(await filter('r a')).toEqual(['Bob Zed', "Zoe O'Z 1"])

  // anyone who looks through the organisation from now on is told so
  await sql`
    create or replace function people_named(client uuid, patterns text[], phone_pattern text) returns setof uuid
    language plpgsql as $$ begin raise 'all people of the organisation were read'; end $$`.execute(
    server.database.owner.db,
  )

  expect(await search('z')).toEqual(['Bob Zed', "Zoe O'Z 1"])
  expect(await search('ZO')).toEqual(["Zoe O'Z 1"])
  expect(await search("'z 1")).toEqual(["Zoe O'Z 1"])
  expect(await search('_')).toEqual([])
  expect(await filter('b z')).toEqual(['Bob Zed'])
  // part of the name of the place, so all of its people
  expect(await filter('r a')).toEqual(['Bob Zed', "Zoe O'Z 1"])
  for (const reading of [() => search('zoe'), () => filter('zed'), () => filter('0491 570')])
    await expect(reading()).rejects.toMatchObject({ status: 500 })
})

import { expect } from 'vitest'
import { listPeople } from '#features/people/calls/people.ts'
import { defaultFilters } from '#kernel/kinds.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { test } from '#server/testing/server-test.ts'
import { searchOccupants } from '../calls/evacuation.ts'
import { searchEventPeople } from '../calls/floor-overview.ts'
import { filterEvacuees } from '../calls/safety.ts'

const people = [
  ['Zoë', 'Müller'],
  ['Pat', 'O’Brien'],
  ['Ana', 'de la Cruz'],
  ['Kim', 'Smith-Jones'],
  ['Bjørn', 'Ålesund'],
  ['', 'Suharto'],
] as const
const texts: readonly (readonly [string, readonly string[]])[] = [
  ['Muller', ['Zoë Müller']],
  ['Mueller', ['Zoë Müller']],
  ['Zoe', ['Zoë Müller']],
  ['müller zoë', ['Zoë Müller']],
  ["o'brien", ['Pat O’Brien']],
  ['obrien', ['Pat O’Brien']],
  ['O’BRIEN pat', ['Pat O’Brien']],
  ['Cruz', ['Ana de la Cruz']],
  ['cruz ana', ['Ana de la Cruz']],
  ['de la Cruz', ['Ana de la Cruz']],
  ['smith jones', ['Kim Smith-Jones']],
  ['jones smith', ['Kim Smith-Jones']],
  ['smith-jones', ['Kim Smith-Jones']],
  ['bjorn alesund', ['Bjørn Ålesund']],
  ['Suharto', ['Suharto']],
  ['muller cruz', []],
  ['smithjones', []],
]

for (const around of ['a few people', 'many others, by the index'])
  test(`NUM-06 NUM-08 FLOOR-48 FES-03 SAFE-24 PPL-05 floor, overview, safety and console find a name however it is spelt, among ${around}`, async ({
    server,
  }) => {
    const org = await server.given.organisation()
    for (const [firstName, lastName] of people) await server.given.occupant(org, { firstName, lastName })
    const admin = await asAdministrator(
      server,
      await givenAdministrator(server, org, { firstName: 'X', lastName: 'X' }),
    )
    const warden = await server.given.warden(org, { firstName: 'W' })
    await server.runningEvent(org)
    const call = await server.onDuty(warden)
    if (around !== 'a few people')
      await server.database.owner.pg.query(
        `insert into person (client_uid, code, first_name, last_name)
         select $1, 'filler' || i, 'Filler', i::text from generate_series(1, 2001) i`,
        [org.clientUid],
      )
    const body = { ...defaultFilters, area: 'everyone' as const }
    const found = async (text: string) => [
      (await call(searchOccupants, { params: { text } })).persons.map(({ name }) => name),
      (await call(searchEventPeople, { params: { text }, query: {} })).peeps.map(({ name }) => name),
      (await call(filterEvacuees, { query: {}, body: { ...body, search: text } })).evacuees.map(({ name }) => name),
      (await admin(listPeople, { query: { q: text } })).rows.map((row) => `${row.first_name} ${row.last_name}`.trim()),
    ]

    for (const [text, names] of texts) expect([text, await found(text)]).toEqual([text, Array(4).fill(names)])
  })

test('NUM-08 words of one or two letters are found too, in any order', async ({ server }) => {
  const org = await server.given.organisation()
  await server.given.occupant(org, { firstName: 'Lý', lastName: 'Xu' })
  await server.given.occupant(org, { firstName: '', lastName: 'Ng' })
  const warden = await server.given.warden(org)
  await server.runningEvent(org)
  const call = await server.onDuty(warden)

  for (const text of ['ly', 'xu ly', 'L', 'x y'])
    expect([text, (await call(searchOccupants, { params: { text } })).persons.length]).toEqual([text, 1])
  expect((await call(searchOccupants, { params: { text: 'ng' } })).persons.map(({ name }) => name)).toEqual(['Ng'])
  expect((await call(searchOccupants, { params: { text: 'lx' } })).persons).toEqual([])
})

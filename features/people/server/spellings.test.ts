import { randomUUID } from 'node:crypto'
import { expect, test as plain } from 'vitest'
import { keepInboundText } from '#features/texts/server/inbound/inbound.service.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { openImportTest, rowsOf } from '#server/testing/import-test.ts'
import { test } from '#server/testing/server-test.ts'
import { withKey } from '#server/testing/test-server.ts'
import { addPerson, getPerson, listPeople } from '../calls/people.ts'

const number = '61491000001'
const spellings = [
  ...['0491000001', '0491 000 001', '0491-000-001', '0491.000.001', '(0491) 000 001', '0491\u00a0000\u2011001'],
  ...['491000001', '61491000001', '61 491 000 001', '+61491000001', '+61 491 000 001', '+61 (0)491 000 001'],
  ...['+610491000001', '0061 491 000 001', '0011 61 491 000 001', 'tel:+61491000001', 'tel:0491-000-001'],
  ...['\u202a+61 491 000 001\u202c', '０４９１ ０００ ００１', '٠٤٩١٠٠٠٠٠١'],
]

test('NUM-01 PPL-05 ANS-09 twenty spellings are one number in the console, in its search and in what a provider sends', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const call = await asAdministrator(server, await givenAdministrator(server, org))
  const person = await server.given.occupant(org, { lastName: 'Orr', mobile: number })
  await server.runningEvent(org)
  for (const [nth, mobile] of spellings.entries()) {
    const { uid } = await call(addPerson, { body: { last_name: `S${nth}`, mobile } }, withKey())
    expect.soft((await call(getPerson, { params: { uid } })).mobile, mobile).toBe(`+${number}`)
    const { rows } = await call(listPeople, { query: { q: mobile } })
    expect
      .soft(
        rows.map((row) => row.uid),
        mobile,
      )
      .toContain(person)
    const providerId = randomUUID()
    await keepInboundText(server.app, { gateway: 'webhook', providerId, from: mobile, body: 'hello' })
    const kept = server.db.selectFrom('inboundText').select('fromMobile').where('providerId', '=', providerId)
    expect.soft(await kept.executeTakeFirst(), mobile).toEqual({ fromMobile: number })
  }
})

plain('NUM-01 IMP-16 twenty spellings are one number in a file', async () => {
  const rows = spellings.map((mobile, nth) => `P${nth},,S${nth},"${mobile}"\n`)
  await using at = await openImportTest({
    'people.csv': `code,first_name,last_name,mobile\n${rows.join('')}`,
    'peeps.csv': undefined,
    'assignments.csv': undefined,
  })

  expect((await at.run()).errors).toEqual([])
  expect(await rowsOf(at.db, 'select distinct mobile from person')).toEqual([{ mobile: number }])
})

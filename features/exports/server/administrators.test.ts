/** @module-tag long */
import { expect } from 'vitest'
import { givenRecord } from '#features/records/server/records.fixture.ts'
import type { EventUid } from '#kernel/ids.ts'
import { asAdministrator, givenAdministrator, givenGroup } from '#server/testing/administrators.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { exportRecord, getExport } from '../calls.ts'
import { askFor, exported, unzip } from './exports.fixture.ts'
import { isPdfInstalled } from './pdf/pdf-packages.ts'

/** Each export starts a process. */
const patience = { timeout: 120_000 }

async function givenAsker(
  server: TestServer,
  org: Parameters<typeof givenAdministrator>[1],
  over: Parameters<typeof givenAdministrator>[2] = {},
) {
  const administrator = await givenAdministrator(server, org, over)
  return { administrator, call: await asAdministrator(server, administrator) }
}

test(
  'AAR-01 AAR-40 AAR-41 spreadsheets and bundle of an administrator hold what those of a chief warden hold',
  patience,
  async ({ server }) => {
    const { eventUid, manager, org } = await givenRecord(server)
    const { administrator, call } = await givenAsker(server, org, { seesPlans: true })
    const people = async (asker: typeof call, format: 'csv' | 'bundle') =>
      `${(await unzip((await exported(server, asker, eventUid, format, 'all')).file)).get(format === 'csv' ? 'people.csv' : 'people.ndjson')}`

    expect(await people(call, 'csv')).toBe(await people(manager, 'csv'))
    const lines = await people(call, 'bundle')
    expect(lines).toBe(await people(manager, 'bundle'))
    expect(lines).not.toContain('withheld')
    const told = (await server.journalOf(eventUid)).filter(
      ({ action, actorPersonUid }) => action === 'record_exported' && actorPersonUid === administrator.personUid,
    )
    expect(told.map(({ after }) => after)).toMatchObject([{ format: 'csv' }, { format: 'bundle' }])
  },
)

test.skipIf(!isPdfInstalled())(
  'AAR-01 AAR-39 an administrator exports a record as PDF',
  patience,
  async ({ server }) => {
    const { eventUid, org } = await givenRecord(server)
    const { call } = await givenAsker(server, org)

    const { file } = await exported(server, call, eventUid, 'pdf')

    expect(file.toString('latin1')).toContain('DRILL: Record')
  },
)

test('AAR-01 AAR-02 an administrator asks for no export of a record beyond their reach, nor opens one of another person', async ({
  server,
}) => {
  const { eventUid, manager, org } = await givenRecord(server)
  const elsewhere = await server.given.site(org)
  const stranger = await server.given.organisation()
  const groupUid = await givenGroup(server, org)
  const asked = (call: Awaited<ReturnType<typeof givenAsker>>['call'], of: EventUid) =>
    refused(call(exportRecord, { params: { eventUid: of }, body: { format: 'csv', names: 'none' } }, withKey()))
  const unknown = '00000000-0000-4000-8000-000000000000' as EventUid
  const { uid } = await askFor(manager, eventUid, 'csv', 'none')
  const whole = await givenAsker(server, org)
  const site = await givenAsker(server, org, { reach: 'site', siteUid: elsewhere.siteUid })
  const foreign = await givenAsker(server, stranger)
  const group = await givenAsker(server, org, { reach: 'group', groupUid })

  for (const { call } of [site, foreign]) {
    expect(await asked(call, eventUid)).toEqual(await asked(call, unknown))
    expect(await asked(call, eventUid)).toEqual(['not_found'])
  }
  expect(await asked(group.call, eventUid)).toEqual(['forbidden'])
  for (const { call } of [whole, site, foreign])
    expect(await refused(call(getExport, { params: { uid } }))).toEqual(
      await refused(call(getExport, { params: { uid: unknown } })),
    )
})

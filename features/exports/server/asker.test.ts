/** @module-tag long */
import { expect } from 'vitest'
import { givenRecord } from '#features/records/server/records.fixture.ts'
import { signOutOfConsole } from '#features/sign-in/calls/console-sign-in.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import type { EventUid } from '#kernel/ids.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { getExport } from '../calls.ts'
import { askFor, exported, makeExports, unzip } from './exports.fixture.ts'

/** Each export starts a process. */
const patience = { timeout: 120_000 }

/** A floor warden who reads records, and administers the organisation as well. */
async function givenBoth(server: TestServer) {
  const at = await givenRecord(server)
  const floorUid = at.org.floors[1]
  const warden = await server.given.warden(at.org, { floorUid, modules: ['Module_Event_Records'] })
  const administrator = await givenAdministrator(server, at.org, { person: warden })
  return {
    ...at,
    warden,
    administrator,
    little: await server.as(warden),
    all: await asAdministrator(server, administrator),
  }
}

const statusOf = async (server: TestServer, url: string | undefined) =>
  (await server.app.inject(`${url}`.slice(new URL(`${url}`).origin.length))).statusCode

test(
  'AAR-02, AAR-41: who is warden of a floor and administrator gets a file of each reach, by that door alone',
  patience,
  async ({ server }) => {
    const { eventUid, little, all } = await givenBoth(server)
    const asked = [
      await askFor(all, eventUid, 'csv', 'all'),
      await askFor(little, eventUid, 'csv', 'all'),
      await askFor(little, eventUid, 'csv', 'all'),
    ].map(({ uid }) => uid)
    await makeExports(server)
    const [ofAll, ofLittle] = asked
    const peopleOf = async (call: typeof all, uid = '') => {
      const { url } = await call(getExport, { params: { uid } })
      const { rawPayload } = await server.app.inject(`${url}`.slice(new URL(`${url}`).origin.length))
      return `${(await unzip(rawPayload)).get('people.csv')}`.split('\r\n').length - 2
    }

    expect(new Set(asked).size).toBe(2)
    expect(await peopleOf(all, ofAll)).toBe(4)
    expect(await peopleOf(little, ofLittle)).toBe(0)
    expect(await refused(little(getExport, { params: { uid: `${ofAll}` } }))).toEqual(['not_found'])
    expect(await refused(all(getExport, { params: { uid: `${ofLittle}` } }))).toEqual(['not_found'])
  },
)

test('AAR-02, AAR-41: a file that is being made for all sites is not given to one whose grant is of a site by now', async ({
  server,
}) => {
  const { eventUid, all, administrator, org } = await givenBoth(server)
  const { uid } = await askFor(all, eventUid, 'csv', 'all')
  await server.db
    .updateTable('administrator')
    .set({ reach: 'site', siteUid: org.siteUid })
    .where('uid', '=', administrator.administratorUid)
    .execute()

  expect((await askFor(all, eventUid, 'csv', 'all')).uid).not.toBe(uid)
})

type Both = Awaited<ReturnType<typeof givenBoth>>
const withdrawals: [string, 'all' | 'little', (server: TestServer, at: Both) => Promise<unknown>][] = [
  [
    'the flag of the role',
    'little',
    ({ db }, { warden }) =>
      db
        .updateTable('wardenRole')
        .set({ modules: ['Wardens_On_Duty'] })
        .where('uid', '=', (eb) =>
          eb.selectFrom('wardenAssignment').select('roleUid').where('uid', '=', warden.assignmentUid),
        )
        .execute(),
  ],
  [
    'the assignment',
    'little',
    ({ db }, { warden }) =>
      db.updateTable('wardenAssignment').set({ status: 'Withdrawn' }).where('uid', '=', warden.assignmentUid).execute(),
  ],
  [
    'the place of the assignment',
    'little',
    ({ db }, { warden, org }) =>
      db
        .updateTable('assignmentLocation')
        .set({ floorUid: `${org.floors[0]}` })
        .where('assignmentUid', '=', warden.assignmentUid)
        .execute(),
  ],
  [
    'the account',
    'little',
    ({ db }, { warden }) =>
      db.updateTable('account').set({ active: false }).where('uid', '=', warden.accountUid).execute(),
  ],
  [
    'the person',
    'little',
    ({ db }, { warden }) =>
      db.updateTable('person').set({ active: false }).where('uid', '=', warden.personUid).execute(),
  ],
  [
    'the grant',
    'all',
    ({ db }, { administrator }) =>
      db
        .updateTable('administrator')
        .set({ revokedAt: new Date() })
        .where('uid', '=', administrator.administratorUid)
        .execute(),
  ],
  [
    'a part of the grant',
    'all',
    ({ db }, { administrator, org }) =>
      db
        .updateTable('administrator')
        .set({ reach: 'site', siteUid: org.siteUid })
        .where('uid', '=', administrator.administratorUid)
        .execute(),
  ],
  ['the session of a warden', 'little', (_, { little }) => little(logout, {})],
  ['the session of an administrator', 'all', (_, { all }) => all(signOutOfConsole, {})],
  [
    'the organisation',
    'all',
    ({ db }, { org }) => db.updateTable('client').set({ active: false }).where('uid', '=', org.clientUid).execute(),
  ],
]

for (const [what, door, withdraw] of withdrawals)
  test(
    `AAR-01, AAR-02, AAR-41: with ${what} withdrawn a ready file opens no more, by its call or its link`,
    patience,
    async ({ server }) => {
      const at = await givenBoth(server)
      const call = at[door]
      const { uid, url } = await exported(server, call, at.eventUid as EventUid, 'csv', 'none')

      await withdraw(server, at)

      expect(['not_found', 'forbidden', 'not_signed_in']).toContain(
        (await refused(call(getExport, { params: { uid } })))[0],
      )
      expect(await statusOf(server, url)).toBe(404)
    },
  )

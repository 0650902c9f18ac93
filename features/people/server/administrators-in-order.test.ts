import { expect } from 'vitest'
import { resetSecondFactor, revokeAdministrator } from '#features/administrators/calls/administrators.ts'
import { asAdministrator, type GivenAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { givenConsole } from '#server/testing/console-organisation.ts'
import { asAdmin, openTestDatabase } from '#server/testing/database.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { startTestServer, type TestServer, withKey } from '#server/testing/test-server.ts'
import { deactivatePerson } from '../calls/people.ts'
import { changePeople } from '../calls/people-bulk.ts'

type Given = Awaited<ReturnType<typeof givenConsole>> & { other: GivenAdministrator }

/** A database that lets a deadlock stand for a minute: each wait for a lock that it makes is over before that. */
async function openPatientServer() {
  const database = await openTestDatabase()
  await asAdmin(`alter database ${database.connection.database} set deadlock_timeout = '1min'`)
  return startTestServer({}, database)
}

test.for([
  [
    'deactivate and revoke',
    ({ call, other }: Given) => call(deactivatePerson, { params: { uid: other.personUid } }, withKey()),
    ({ call, other }: Given) => call(revokeAdministrator, { params: { uid: other.administratorUid } }, withKey()),
  ] as const,
  [
    'deactivate by ticked rows and reset the second factor of',
    ({ call, other }: Given) =>
      call(changePeople, { body: { people: [other.personUid], act: 'deactivate' } }, withKey()),
    ({ call, other }: Given) => call(resetSecondFactor, { params: { uid: other.administratorUid } }, withKey()),
  ] as const,
])('ORG-12 PPL-02 to %s one administrator at once takes turns', async ([, change, act]) => {
  await using server = await openPatientServer()
  const { at, session } = await withAnother(server)
  const held = await server.hold('console_session', session)

  const changed = change(at)
  await held.waiting(1)
  const done = act(at)
  await held.waiting(2)
  await held.release()

  expect(await refused(changed, done)).toEqual(['answered', 'answered'])
})

async function withAnother(server: TestServer) {
  const console = await givenConsole(server)
  const other = await givenAdministrator(server, console.org)
  await asAdministrator(server, other)
  const { uid } = await server.db
    .selectFrom('consoleSession')
    .select('uid')
    .where('accountUid', '=', other.accountUid)
    .executeTakeFirstOrThrow()
  return { at: { ...console, other }, session: uid }
}

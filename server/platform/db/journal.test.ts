import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { test } from '../../testing/server-test.ts'
import { record, unattended } from './journal.ts'

test('AUTH-07 ORG-41 a change of 5,000 people in an event is told of all of them, there and in the audit log', async ({
  server,
}) => {
  const { clientUid } = await server.given.organisation()
  const eventUid = randomUUID()
  const uids = Array.from({ length: 5_000 }, () => randomUUID())

  await server.db.transaction().execute((tx) =>
    record(
      tx,
      unattended(clientUid),
      [null, eventUid].flatMap((event) =>
        uids.map((subjectUid) => ({
          action: 'person_changed',
          subjectType: 'person',
          subjectUid,
          eventUid: event,
          before: {},
          after: { fields: ['email'] },
          observedAt: null,
          key: null,
        })),
      ),
    ),
  )

  const entries = server.db.selectFrom('journal').select('subjectUid').where('clientUid', '=', clientUid)
  expect(await entries.execute()).toHaveLength(10_000)
})

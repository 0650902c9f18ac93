import { after, all, before } from '../lib/edits.mjs'

/** As soon as someone asks for an export, a job ends the older ones that the same person has of the same record. */
export const recipe = {
  heading: 'Add a job',
  files: {
    'features/exports/server/older-exports.service.ts': {
      edit: () => `import { sql } from 'kysely'
import type { Db } from '#server/platform/db/db.ts'

/** Ends exports of which the same person has a newer one. Runs twice, and in two workers at once. */
export async function endOlderExports(system: Db): Promise<void> {
  await sql\`
    update record_export set expires_at = now() where (client_uid, uid) in (
      select o.client_uid, o.uid from record_export o
      where o.expires_at > now() and exists (
        select from record_export n
        where n.client_uid = o.client_uid and n.event_uid = o.event_uid and n.person_uid = o.person_uid
          and (n.asked_at, n.uid) > (o.asked_at, o.uid))
      for update skip locked)\`.execute(system)
}
`,
      found: { by: 'types of server', says: /worker\.ts.*older-exports/ },
    },
    'server/worker.ts': {
      edit: all(
        before(
          'import { dropExpiredExports, makeDueExports }',
          "import { endOlderExports } from '#features/exports/server/older-exports.service.ts'\n",
        ),
        before('    directory_exports: {\n', '    older_exports: { run: () => endOlderExports(system) },\n'),
      ),
      found: { by: 'types of server', says: /'?older_exports'? is missing/ },
    },
    'server/platform/db/jobs.ts': {
      edit: before('  directory_exports: {', '  older_exports: soon,\n'),
      found: { by: 'types of server', says: /older_exports/ },
    },
    'features/exports/server/exports.service.ts': {
      edit: after(
        "  await app.jobs.enqueue(tx, 'exports', { uid: row.uid })\n",
        "  await app.jobs.enqueue(tx, 'older_exports', { uid: row.uid })\n",
      ),
      found: { by: 'server older-exports', says: /LOG-97/ },
    },
    'features/exports/SPEC.md': {
      edit: after('## Rules\n', '\n- **LOG-97** Of exports of a record a person has the newest.\n'),
      found: { by: 'rules', says: /LOG-97, which no SPEC\.md has/ },
    },
    'features/exports/server/older-exports.test.ts': {
      edit: () => `import { expect } from 'vitest'
import { givenRecord } from '#features/records/server/records.fixture.ts'
import { test } from '#server/testing/server-test.ts'
import { askFor } from './exports.fixture.ts'
import { endOlderExports } from './older-exports.service.ts'

test('LOG-97 of two exports the older one ends, by a job of the newer one', async ({ server }) => {
  const { eventUid, manager } = await givenRecord(server)
  const older = await askFor(manager, eventUid, 'csv', 'none')
  const newer = await askFor(manager, eventUid, 'csv', 'all')
  const { rows } = await server.database.owner.pg.query("select data from pgboss.job where name = 'older_exports'")

  expect(rows).toContainEqual({ data: { uid: newer.uid } })
  const system = server.database.system.db
  await Promise.all([endOlderExports(system), endOlderExports(system)])
  await endOlderExports(system)

  const ended = await server.db.selectFrom('recordExport').select('uid').where('expiresAt', '<=', new Date()).execute()
  expect(ended).toEqual([{ uid: older.uid }])
})
`,
      found: { by: 'rules', says: /LOG-97, which no test names/ },
    },
  },
  proof: ['types of server', 'unused code', 'code for tests alone', 'rules', 'server older-exports'],
}

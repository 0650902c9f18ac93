import { after, all, before } from '../lib/edits.mjs'

/** Once a minute, names of floors lose the spaces around them. */
export const recipe = {
  heading: 'Add a job',
  files: {
    'features/places/server/trim-names.service.ts': {
      edit: () => `import { sql } from 'kysely'
import type { Db } from '#server/platform/db/db.ts'

/** Takes the spaces around names of floors away. Runs twice, and in two workers at once. */
export async function trimNames(system: Db): Promise<void> {
  await sql\`
    update floor set name = btrim(name) where (client_uid, uid) in (
      select client_uid, uid from floor where name <> btrim(name) for no key update skip locked)\`.execute(system)
}
`,
      found: { by: 'types of server', says: /worker\.ts.*trim-names/ },
    },
    'server/worker.ts': {
      edit: all(
        before(
          'import { sendDueAlerts }',
          "import { trimNames } from '#features/places/server/trim-names.service.ts'\n",
        ),
        after('        await forgetOldCounts(system)\n', '        await trimNames(system)\n'),
      ),
      found: { by: 'code for tests alone', says: /trim-names/ },
    },
    'features/places/SPEC.md': {
      edit: after('## Rules\n', '\n- **PPL-92** A name of a floor has no spaces around it.\n'),
      found: { by: 'rules', says: /PPL-92, which no SPEC\.md has/ },
    },
    'features/places/server/trim-names.test.ts': {
      edit: () => `import { expect } from 'vitest'
import { test } from '#server/testing/server-test.ts'
import { trimNames } from './trim-names.service.ts'

test('PPL-92 two workers at once take the spaces around a name away', async ({ server }) => {
  const { floors } = await server.given.organisation()
  const floor = server.db.updateTable('floor').set({ name: ' Attic ' }).where('uid', '=', floors[0])
  await floor.execute()

  await Promise.all([1, 2].map(() => trimNames(server.database.system.db)))

  expect(await server.db.selectFrom('floor').select('name').where('uid', '=', floors[0]).execute()).toEqual([
    { name: 'Attic' },
  ])
})
`,
      found: { by: 'rules', says: /PPL-92, which no test names/ },
    },
  },
  proof: ['types of server', 'unused code', 'code for tests alone', 'structure', 'rules', 'server trim-names'],
}

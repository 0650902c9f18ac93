import { after, all, atEnd, before } from '../lib/edits.mjs'

/** How many floors are in use, counted within reach. */
export const recipe = {
  heading: 'Add a call',
  files: {
    'features/places/calls.ts': {
      edit: atEnd(`
export const countFloors = defineCall({
  summary: 'How many floors are in use within reach',
  method: 'GET',
  path: '/api/console/floor-count',
  reply: Type.Object({ floors: Count }),
  policy,
})
`),
      found: { by: 'types of server', says: /countFloors/ },
    },
    'features/places/server/places.routes.ts': {
      edit: all(
        before(
          "import { presentPlaces } from './places.service.ts'",
          "import { countInUse } from './places.queries.ts'\n",
        ),
        before(
          '  addSite: withAccounts(',
          '  countFloors: ({ tx, administrator }) => countInUse(tx, administrator),\n',
        ),
      ),
      found: { by: 'types of server', says: /places\.routes\.ts.*\n?.*countFloors/ },
    },
    'features/places/server/places.queries.ts': {
      edit: all(
        before(
          'import type { Tx }',
          "import { type Administrator } from '#server/administrators/administrator.ts'\nimport { within } from '#server/administrators/reach.ts'\n",
        ),
        atEnd(`
/** Floors in use that the administrator reaches. */
export async function countInUse(tx: Tx, administrator: Administrator): Promise<{ floors: number }> {
  const { rows } = await sql<{ floors: number }>\`
    select count(*)::int as floors from floor f
    join building b on b.client_uid = f.client_uid and b.uid = f.building_uid
    join site st on st.client_uid = b.client_uid and st.uid = b.site_uid
    where f.client_uid = \${administrator.clientUid} and f.retired_at is null and \${within(administrator).site}\`.execute(tx)
  return rows[0] ?? { floors: 0 }
}
`),
      ),
      found: { by: 'types of server', says: /countInUse/ },
    },
    'server/security/authorisation/call-inputs.fixture.ts': {
      edit: before('  addSite: {', '  countFloors: {},\n'),
      found: { by: 'server authorisation/answered', says: /countFloors/ },
    },
    'features/places/SPEC.md': {
      edit: after('## Rules\n', '\n- **PPL-99** A call counts the floors in use within reach.\n'),
      found: { by: 'rules', says: /PPL-99, which no SPEC\.md has/ },
    },
    'features/places/server/floor-count.test.ts': {
      edit: () => `import { expect } from 'vitest'
import { givenConsole } from '#server/testing/console-organisation.ts'
import { test } from '#server/testing/server-test.ts'
import { countFloors } from '../calls.ts'

test('PPL-99 the floors in use within reach are counted', async ({ server }) => {
  const { org, call, ofSite } = await givenConsole(server)
  const away = await server.given.site(org, { name: 'Away' })
  const own = await (await ofSite())(countFloors, {})

  expect((await call(countFloors, {})).floors).toBeGreaterThan(own.floors)
  expect((await (await ofSite(away.siteUid))(countFloors, {})).floors).toBeGreaterThan(0)
})
`,
      found: { by: 'rules', says: /PPL-99/ },
    },
  },
  proof: ['types of server', 'rules', 'structure', 'server floor-count authorisation/answered'],
}

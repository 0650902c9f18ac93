import { after, before } from '../lib/edits.mjs'

/** A floor that was moved is told apart from one that was changed otherwise. */
export const recipe = {
  heading: 'Add a journal action',
  files: {
    'features/live-updates/actions.ts': {
      edit: before('  place_retired: {', "  floor_moved: { topics: null, audit: 'places' },\n"),
      found: { by: 'types of server', says: /place-changes\.service\.ts.*floor_moved/ },
    },
    'features/places/server/place-changes.service.ts': {
      edit: after('  await save(tx, changing, { floors })\n', "  await tell(tx, changing, 'floor_moved', found)\n"),
      found: { by: 'server live-updates/server/actions', says: /floor_moved/ },
    },
    'features/places/SPEC.md': {
      edit: after('## Rules\n', '\n- **PPL-96** The audit log tells which floor was moved.\n'),
      found: { by: 'rules', says: /PPL-96, which no SPEC\.md has/ },
    },
    'features/places/server/floor-moved.test.ts': {
      edit: () => `import { expect } from 'vitest'
import { givenConsole } from '#server/testing/console-organisation.ts'
import { test } from '#server/testing/server-test.ts'
import { movePlace } from '../calls.ts'

test('PPL-96 a floor that was moved is in the audit log', async ({ server }) => {
  const { org, call } = await givenConsole(server)
  const [ground, one] = org.floors
  await call(movePlace, { params: { uid: ground }, body: { after: one } })

  expect((await server.journalOf(ground)).map(({ action }) => action)).toContain('floor_moved')
})
`,
      found: { by: 'rules', says: /PPL-96, which no test names/ },
    },
  },
  proof: ['types of server', 'rules', 'server live-updates/server/actions floor-moved'],
}

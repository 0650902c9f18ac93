import { after } from '../lib/edits.mjs'

/** Whether people of an event of the type go to the assembly area: a yes or no that phones learn, too. */
export const recipe = {
  heading: 'Add a property of an event type',
  files: {
    'server/migrations/0299-assembly.sql': {
      edit: () => 'alter table event_type add column assembles boolean not null default true;\n',
      found: { by: 'server optional-columns', says: /assembles/ },
    },
    'features/directory/columns.ts': {
      edit: after(
        'export const eventTypeProperties = {\n',
        "  assembles: { kind: 'yes or no', empty: true, journal: true, label: 'Assembly', tick: 'People go to the assembly area' },\n",
      ),
      found: { by: 'types of server', says: /calls\/lists\.ts.*assembles/ },
    },
    'docs/import-format.md': {
      edit: after(
        '| event_types.csv | **code**, **type**, description, message (at most 130 characters), ',
        'assembles (yes/no, default yes), ',
      ),
      found: { by: 'server kinds', says: /assembles/ },
    },
    'features/organisation/calls/lists.ts': {
      edit: after('const EventTypeProperties = {\n', '  assembles: Type.Boolean(),\n'),
      found: { by: 'types of server', says: /calls\/lists\.ts[\s\S]*assembles/ },
    },
    'features/events/calls/events.ts': {
      edit: after('export const EventType = Type.Object({\n  id: EventTypeUid,\n', '  assembles: Type.Boolean(),\n'),
      found: { by: 'types of web', says: /event-sites\.ts.*\n?.*assembles/ },
    },
    'web/testing/event-sites.ts': {
      edit: (text) => text.replaceAll(/^ {2}message: .*\n {2}kind: /gm, '  assembles: true,\n$&'),
      found: { by: 'types of web', says: /event-sites\.ts.*assembles/ },
    },
    'features/events/SPEC.md': {
      edit: after(
        '## Rules\n',
        '\n- **KIND-97** A type says whether people go to the assembly area, and phones learn it.\n',
      ),
      found: { by: 'rules', says: /KIND-97, which no SPEC\.md has/ },
    },
    'features/events/server/assembles.test.ts': {
      edit: () => `import { expect } from 'vitest'
import * as lists from '#features/organisation/calls/lists.ts'
import { givenConsole } from '#server/testing/console-organisation.ts'
import { test } from '#server/testing/server-test.ts'
import { listEventSites } from '../calls/events.ts'

test('KIND-97 a property is saved, stays when another one changes, and is on phones', async ({ server }) => {
  const { org, call } = await givenConsole(server)
  const uid = org.eventTypeUid
  const change = async (over: Partial<lists.EventTypeRow>) => {
    const row = (await call(lists.listEventTypes, {})).rows.find((one) => one.uid === uid) as lists.EventTypeRow
    const { uid: _, kind: __, assembles: ___, ...held } = row
    await call(lists.changeEventType, { params: { uid }, body: { ...held, ...over } })
  }
  const phone = await server.as(await server.given.warden(org, { role: 'Chief Warden' }))
  const shown = async () => (await phone(listEventSites, {})).data.eventTypes.find(({ id }) => id === uid)
  expect(await shown()).toMatchObject({ assembles: true })

  await change({ assembles: false })
  await change({ message: 'Leave now.' })

  expect(await shown()).toMatchObject({ assembles: false, message: 'Leave now.' })
})
`,
      found: { by: 'rules', says: /KIND-97, which no test names/ },
    },
  },
  // stored and exported by a file, changed in the console, and shown to phones
  proof: ['types of server', 'types of web', 'rules', 'server optional-columns kinds assembles', 'web lists-page'],
}

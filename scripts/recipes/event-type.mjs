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
      edit: after('const EventTypeProperties = { ', 'assembles: Type.Boolean(), '),
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
  },
  // stored and exported by a file, changed in the console, and shown to phones
  proof: ['types of server', 'types of web', 'server optional-columns kinds lists/lists', 'web lists-page'],
}

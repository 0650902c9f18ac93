import { after, before } from '../lib/edits.mjs'

/** Whether wardens see a picture of each person: a yes or no. */
export const recipe = {
  heading: 'Add a setting of an organisation',
  files: {
    'server/migrations/0297-pictures.sql': {
      edit: () => 'alter table client add column show_pictures boolean not null default false;\n',
      found: { by: 'server settings/settings', says: /settings\.test\.ts/ },
    },
    'server/platform/db/tables.ts': {
      edit: before('  smsAllowed: Generated<boolean>\n', '  showPictures: Generated<boolean>\n'),
      found: { by: 'types of server', says: /load-code-index/ },
    },
    'features/directory/columns.ts': {
      edit: before(
        '  share_plans: {\n',
        "  show_pictures: {\n    kind: 'yes or no',\n    empty: false,\n    group: 'Events',\n    label: 'Pictures',\n    tick: 'Show pictures of people to wardens',\n  },\n",
      ),
      found: { by: 'server kinds', says: /show_pictures/ },
    },
    'features/organisation/calls/settings.ts': {
      edit: (text, file) =>
        before('  share_plans: SharePlans,\n', '  show_pictures: Type.Boolean(),\n')(
          after(
            '      command_minutes: Type.Optional(CommandMinutes),\n',
            '      show_pictures: Type.Optional(Type.Boolean()),\n',
          )(text, file),
          file,
        ),
      found: { by: 'server plain-settings', says: /show_pictures/ },
    },
    'features/organisation/console/settings/settings-page.test.tsx': {
      edit: before("    share_plans: 'unless no',\n", '    show_pictures: false,\n'),
      found: { by: 'types of web', says: /settings-page\.test\.tsx.*show_pictures/ },
    },
    'docs/import-format.md': {
      edit: after('coverage_mail', ', show_pictures (yes or no, default no)'),
      found: { by: 'server kinds', says: /show_pictures/ },
    },
  },
  proof: ['types of server', 'types of web', 'server plain-settings kinds', 'web settings-page'],
}

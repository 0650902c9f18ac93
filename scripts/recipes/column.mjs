import { after } from '../lib/edits.mjs'

/** The desk that answers for a site, an optional text. */
export const recipe = {
  heading: 'Add a column with its import',
  files: {
    'server/migrations/0298-desks-of-sites.sql': {
      edit: () => "alter table site add column contact text not null default '';\n",
      found: { by: 'server optional-columns', says: /contact/ },
    },
    'features/directory/columns.ts': {
      edit: after(
        "    drill_shifts: { kind: 'shifts', journal: true },\n",
        "    contact: { kind: 'text', journal: true, example: 'Desk 4' },\n",
      ),
      found: { by: 'server kinds', says: /contact/ },
    },
    'docs/import-format.md': {
      edit: after(
        'then each shift has its own drills; default none), ',
        'contact (the desk that answers for the site), ',
      ),
      found: { by: 'server kinds', says: /contact/ },
    },
  },
  // in a file, from it into the database, in the export, and as it was
  proof: ['types of server', 'server optional-columns kinds'],
}

import { after, all, before } from '../lib/edits.mjs'

/** The desk that answers for a site, which the recipe of a column has stored. */
export const recipe = {
  heading: 'Add a field in the console',
  buildsOn: 'column',
  files: {
    'features/places/calls.ts': {
      edit: all(
        after('  ...place,\n  timezone: Type.String(),\n', '  contact: Type.String(),\n'),
        after(
          '      drill_shifts: Type.Optional(drilling.drill_shifts),\n',
          '      contact: Type.Optional(Type.String({ maxLength: 2000 })),\n',
        ),
      ),
      found: { by: 'types of web', says: /drills-dialog\.tsx.*contact/ },
    },
    'features/places/server/places.queries.ts': {
      edit: all(
        after('  uid: SiteUid\n  timezone: string\n', '  contact: string\n'),
        after('select st.uid, st.code, st.name, st.timezone, ', 'st.contact, '),
      ),
      found: { by: 'types of server', says: /places\.service\.ts.*\n?.*contact/ },
    },
    'features/places/console/drills-dialog.tsx': {
      edit: all(
        after('code, drill_every_days, drill_shifts', ', contact'),
        after('stored={{ drill_every_days: String(drill_every_days), drill_shifts', ', contact'),
        before('      }}\n      onSave', "        contact: { label: 'Contact' },\n"),
        after('drill_shifts: shifts', ', contact'),
        after('drill_every_days: Number(days), drill_shifts: shifts', ', contact'),
      ),
      found: { by: 'web places-page', says: /Contact/ },
    },
    'features/places/SPEC.md': {
      edit: after('## Rules\n', '\n- **PPL-98** A site has a contact, which the page of the site changes.\n'),
      found: { by: 'rules', says: /PPL-98, which no SPEC\.md has/ },
    },
    'features/places/server/site-contact.test.ts': {
      edit: () => `import { expect } from 'vitest'
import { givenConsole } from '#server/testing/console-organisation.ts'
import { test } from '#server/testing/server-test.ts'
import { changePlace, listPlaces } from '../calls.ts'

test('PPL-98 a contact is saved, and stays when another field changes', async ({ server }) => {
  const { org, call } = await givenConsole(server)
  const site = async () => (await call(listPlaces, {})).sites.find(({ uid }) => uid === org.siteUid)
  const change = async (changes: object) => {
    const { version = '', name = '' } = (await site()) ?? {}
    await call(changePlace, { params: { uid: org.siteUid }, body: { version, name, ...changes } })
  }

  await change({ contact: 'Desk 4' })
  await change({ name: 'Renamed' })

  expect(await site()).toMatchObject({ name: 'Renamed', contact: 'Desk 4' })
})
`,
      found: { by: 'rules', says: /PPL-98, which no test names/ },
    },
    'features/places/console/places-page.test.tsx': {
      edit: all(
        after("    drill_shifts: '',\n", "    contact: '',\n"),
        after("fill('07:00;15:00;23:00')\n", "  await page.getByLabelText('Contact').fill('Desk 4')\n"),
        after("drill_shifts: '07:00;15:00;23:00'", ", contact: 'Desk 4'"),
      ),
      found: { by: 'types of web', says: /places-page\.test\.tsx.*contact/ },
    },
    // found as that one is
    'features/people/console/ticked-bar.test.tsx': {
      edit: after("        drill_shifts: '',\n", "        contact: '',\n"),
    },
    'features/assignments/console/wardens-page.test.tsx': {
      edit: after("      drill_shifts: '',\n", "      contact: '',\n"),
    },
  },
  proof: ['types of server', 'types of web', 'rules', 'server site-contact', 'web places-page'],
}

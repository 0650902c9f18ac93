import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openImportTest, rowsOf } from '#server/testing/import-test.ts'

const tables = [
  'site',
  'floor',
  'warden_role',
  'event_type',
  'person',
  'people_group',
  'people_group_member',
  'peep',
  'warden_assignment',
]

/** Notes the order of the statements that change rows of these tables. */
async function noteOrder(
  db: Awaited<ReturnType<typeof openImportTest>>['db'],
  owner: { query(text: string): unknown },
) {
  await owner.query(`create table noted (n serial, what text);
    create function note() returns trigger language plpgsql security definer as $$
      begin insert into public.noted (what) values (tg_op || ' ' || tg_table_name); return null; end $$;
    ${tables.map((table) => `create trigger note after insert or update on ${table} for each statement execute function note()`).join(';')};
    grant select on noted to public`)
  return async () => (await rowsOf<{ what: string }>(db, 'select what from noted order by n')).map(({ what }) => what)
}

test('IMP-12 places, roles, lists, people, groups, plans and assignments are written in that order, and all ends after them', async () => {
  await using at = await openImportTest()
  await at.run()
  const listNoted = await noteOrder(at.db, at.owner)
  at.folder.edit('sites.csv', 'S1,Main Site,Australia/Sydney\n', 'S1,Main Site,Australia/Sydney\nS2,East,UTC\n')
  at.folder.edit('floors.csv', 'B1,L1,', 'B1,L2,Level 2,2,floor\nB1,L1,')
  at.folder.edit('roles.csv', 'FLOOR,', 'AREA,Area Warden,Area,My_Messages\nFLOOR,')
  at.folder.edit('event_types.csv', 'FIRE,', 'FLOOD,Flood,,\nFIRE,')
  at.folder.edit(
    'people.csv',
    'P3,Cleo,Cho,cleo@small.test,,,,B1/L1,staff,,no\n',
    'P4,Dora,Diaz,dora@small.test,,,,B1/L2,staff,,no\n',
  )
  at.folder.write('groups.csv', 'code,name\nT1,Dental\n')
  at.folder.write('group_members.csv', 'group,person\nT1,P4\n')
  at.folder.write('peeps.csv', 'person,summary\nP4,Tell in person\n')
  at.folder.edit('assignments.csv', 'P2,FLOOR,S1,B1/L1', 'P4,FLOOR,S1,B1/L2')

  await at.run({ deactivateMissing: true })

  expect(await listNoted()).toEqual([
    ...['INSERT site', 'INSERT floor', 'INSERT warden_role', 'INSERT event_type', 'INSERT person'],
    // their accounts
    'UPDATE person',
    ...['INSERT people_group', 'INSERT people_group_member', 'INSERT peep'],
    ...['INSERT warden_assignment', 'UPDATE warden_assignment', 'UPDATE person'],
  ])
})

test('IMP-13 the lock is of one organisation: an import waits for no other', async () => {
  await using at = await openImportTest()
  await at.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('evac import'), hashtext('OTHER'))`.execute(tx)
    expect((await at.run()).errors).toEqual([])
  })
})

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { asOperator } from '#features/authority/server/decide.ts'
import { sweptJobs } from '#features/authority/server/told.service.ts'
import type { ClientUid } from '#kernel/ids.ts'
import { openImportTest, rowsOf } from '#server/testing/import-test.ts'
import { changeDirectory, type FormRows, requireNone } from './change-directory.service.ts'
import { importOrganisation } from './import.service.ts'
import { getClient } from './stored/load-code-index.queries.ts'
import { loadNamed } from './stored/referenced-rows.ts'

/** The small organisation, and a form that changes it. */
async function openForm(over = {}) {
  const at = await openImportTest(over)
  await at.run()
  const [client] = await rowsOf<{ uid: ClientUid }>(at.db, "select uid from client where code = 'SMALL'")
  const clientUid = client?.uid as ClientUid
  const save = (rows: FormRows, { waitMs = 5_000, uid = clientUid, personUid = null as string | null } = {}) =>
    at.db.transaction().execute((tx) =>
      changeDirectory(tx, {
        by: { clientUid: uid, personUid, signInUid: null },
        rows,
        waitMs,
        now: new Date(),
        acting: {
          as: asOperator(uid),
          telling: { sends: { mails: false, texts: false }, jobs: sweptJobs, now: new Date() },
        },
      }),
    )
  return Object.assign(at, { clientUid, save })
}

const uidOf = async (at: Awaited<ReturnType<typeof openForm>>, table: string, code: string) =>
  (await rowsOf<{ uid: string }>(at.db, `select uid from ${table} where code = '${code}'`))[0]?.uid ?? ''

test('PPL-01 a form sends the columns that change; everything else stays as it stands', async () => {
  await using at = await openForm()
  const person = `select p.code, first_name, last_name, p.email, p.mobile, f.code as floor, a.username, p.active
    from person p left join floor f on f.uid = primary_floor_uid left join account a on a.uid = account_uid where p.code = 'P2'`
  const [before] = await rowsOf<object>(at.db, person)

  const changed = await at.save({
    people: [{ code: 'P2', floor: 'B1/G' }],
    floors: [{ building: 'B1', code: 'G', name: 'Lobby' }],
  })

  expect(changed.problems).toBeUndefined()
  expect(await rowsOf(at.db, person)).toEqual([{ ...before, floor: 'G' }])
  expect(await rowsOf(at.db, "select name, level from floor where code = 'G'")).toEqual([{ name: 'Lobby', level: 0 }])
})

test('PPL-01 a bad field has the reason that an import would give, and nothing is written', async () => {
  await using at = await openForm()
  const rows = {
    people: [
      { code: 'P2', email: 'ben', first_name: 'Bert' },
      { code: 'P3', floor: 'B1/L9' },
    ],
  }

  const { problems } = await at.save(rows)
  const twice = await at.save({ floors: [{ building: 'B1', code: 'G', name: 'Level 1' }] })
  const others = await at.save({ people: [{ code: 'P3', username: 'BENB' }] })

  expect(problems).toEqual([
    { file: 'people.csv', line: 1, column: 'email', reason: 'is not an email address' },
    { file: 'people.csv', line: 2, column: 'floor', reason: "'B1/L9' is not a known floor" },
  ])
  expect(twice.problems).toMatchObject([{ column: 'name', reason: "is also the name of 'L1'" }])
  expect(others.problems).toMatchObject([{ column: 'username', reason: "belongs to another person's account" }])
  expect(await rowsOf(at.db, "select first_name from person where code = 'P2'")).toEqual([{ firstName: 'Ben' }])
})

test('PPL-01 a form learns the reason of each of its fields', async () => {
  await using at = await openForm()

  const changed = await at.save({ people: [{ code: 'P2', email: 'ben', first_name: '', last_name: ' ' }] })

  expect(() => requireNone(changed)).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      message: 'Enter a first name or a last name.',
      fields: ['first_name', 'email'],
      extra: {
        problems: [
          { field: 'first_name', row: 1, message: 'Enter a first name or a last name.' },
          { field: 'email', row: 1, message: 'Email is not an email address' },
        ],
      },
    }),
  )
})

test('PPL-01 the journal says who changed which fields, with places and states, and no name', async () => {
  await using at = await openForm()
  const [by, floor] = [await uidOf(at, 'person', 'P1'), await uidOf(at, 'floor', 'G')]
  const rows: FormRows = {
    floors: [{ building: 'B1', code: 'L1', name: 'Second', level: '2' }],
    people: [
      { code: 'P3', last_name: 'Secret', floor: 'B1/G' },
      { code: 'V1', active: 'no' },
    ],
    peeps: [{ person: 'P3', other: 'Secret' }],
  }

  await at.save(rows, { personUid: by })

  const entries = await rowsOf<{ action: string; before: unknown; after: unknown }>(
    at.db,
    `select action, before, after from journal where actor_person_uid = '${by}' order by position`,
  )
  expect(JSON.stringify(entries)).not.toContain('Secret')
  expect(entries).toMatchObject([
    { action: 'place_changed', before: { level: 1 }, after: { fields: ['name', 'level'], level: 2 } },
    { action: 'person_changed', after: { fields: ['last_name', 'floor'], primaryFloorUid: floor } },
    { action: 'plan_changed', after: { fields: ['other'] } },
    { action: 'person_deactivated' },
  ])
})

test('PPL-01 a row by its uid may take another code, but none that is used; an unknown uid is not found', async () => {
  await using at = await openForm()
  const uid = await uidOf(at, 'person', 'P3')

  await at.save({ people: [{ uid, code: 'C-3' }] })
  await at.save({ buildings: [{ uid: await uidOf(at, 'building', 'B1'), code: 'NORTH' }] })
  const used = await at.save({ people: [{ uid, code: 'P1' }] })
  const doubled = await at.save({ sites: [{ uid: null, code: 'S1', name: 'Another' }] })

  expect(await uidOf(at, 'person', 'C-3')).toBe(uid)
  expect(await rowsOf(at.db, 'select code from building')).toEqual([{ code: 'NORTH' }])
  for (const { problems } of [used, doubled])
    expect(problems).toMatchObject([{ column: 'code', reason: 'is already in use' }])
  await expect(at.save({ people: [{ uid: crypto.randomUUID(), email: '' }] })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test("PPL-01 new people without a code get 'P-000001' and so on, past those that an import has brought", async () => {
  await using at = await openForm()
  const ivy = { first_name: 'Ivy', last_name: 'Ito' }

  const first = await at.save({ people: [ivy, { ...ivy, code: '' }] })
  await at.save({
    people: [
      { ...ivy, code: 'P-000003' },
      { ...ivy, code: 'P-000017' },
    ],
  })
  await at.save({ people: [ivy] })

  expect(first).toMatchObject({ uids: { people: [expect.any(String), expect.any(String)] } })
  const codes = await rowsOf<{ code: string }>(at.db, "select code from person where first_name = 'Ivy' order by code")
  expect(codes.map(({ code }) => code)).toEqual(['P-000001', 'P-000002', 'P-000003', 'P-000017', 'P-000018'])
})

test('PPL-01 who is deactivated is signed out and keeps everything; active again, all of it is back', async () => {
  await using at = await openForm()
  await sql`insert into session (token_hash, account_uid, client_uid, person_uid, assignment_uid, sign_in_method, expires_at)
    select 'x', p.account_uid, p.client_uid, p.uid, a.uid, 'Email', now() + interval '1 hour'
    from person p join warden_assignment a on a.person_uid = p.uid where p.code = 'P1'`.execute(at.db)
  const state = `select p.active, a.status, s.revoked_at is null as open from person p
    join warden_assignment a on a.person_uid = p.uid join session s on s.person_uid = p.uid where p.code = 'P1'`

  await at.save({ people: [{ code: 'P1', active: 'no' }] })
  const away = await rowsOf(at.db, state)
  const edited = await at.save({ people: [{ code: 'P1', email: 'ada@home.test' }] })
  const still = await rowsOf(at.db, state)
  await at.save({ people: [{ code: 'P1', active: 'yes' }] })

  expect(away).toEqual([{ active: false, status: 'Accepted', open: false }])
  expect([edited.problems, still]).toEqual([undefined, away])
  expect(await rowsOf(at.db, state)).toEqual([{ active: true, status: 'Accepted', open: false }])
})

test("PPL-01 a form sets an assignment's state and days over the answer in the app; the nightly files leave it so", async () => {
  await using at = await openForm()
  const states = `select a.status, a.date_to::text from warden_assignment a join person p on p.uid = a.person_uid
    where p.code = 'P2' order by a.date_from`
  await rowsOf(at.db, "update warden_assignment set status = 'Accepted' where status = 'Offered'")
  const [given] = await rowsOf<{ uid: string }>(
    at.db,
    "select a.uid from warden_assignment a join person p on p.uid = a.person_uid where p.code = 'P2'",
  )
  const uid = given?.uid ?? ''
  const offer = {
    person: 'P2',
    role: 'FLOOR',
    site: 'S1',
    locations: 'B1/G',
    date_from: '2040-01-01',
    date_to: '2040-12-31',
  }

  await at.save({ assignments: [{ uid, status: 'Withdrawn' }, offer] })
  const set = await rowsOf(at.db, states)
  const again = await at.save({ assignments: [{ uid: null, ...offer }] })
  await at.save({ assignments: [{ uid, status: 'Offered', date_to: '2039-01-01' }] })
  await at.run()

  expect(set).toMatchObject([{ status: 'Withdrawn' }, { status: 'Offered', dateTo: '2040-12-31' }])
  expect(again.problems).toMatchObject([
    { column: 'date_from', reason: 'is that of another assignment of this person, role and site' },
  ])
  expect(await rowsOf(at.db, states)).toMatchObject([{ status: 'Offered' }, { status: 'Offered' }])
})

test('PPL-02 a change reads the rows that it names and refers to, not the organisation', async () => {
  const people = Array.from({ length: 40 }, (_, n) => `M${n},Mira,Many ${n},B1/L1\n`).join('')
  await using at = await openForm({
    'people.csv': `code,first_name,last_name,floor\n${people}`,
    'peeps.csv': undefined,
    'assignments.csv': undefined,
  })
  const client = await getClient(at.db, at.clientUid)

  const { held } = await loadNamed(at.db, client, { people: [{ code: 'M7', floor: 'B1/G' }] })

  const sizes = Object.entries(held).map(([name, rows]) => [name, rows.size] as const)
  expect(sizes.filter(([, size]) => size > 0)).toEqual([
    ['site', 1],
    ['building', 1],
    ['floor', 2],
    ['person', 1],
  ])
})

test('PPL-02 many changes at once of one person lose nothing; who waits too long is told', async () => {
  await using at = await openForm()
  const uid = await uidOf(at, 'person', 'P3')
  const fields = [
    { first_name: 'Clea' },
    { last_name: 'Chung' },
    { email: 'clea@small.test' },
    { floor: 'B1/G' },
    { mobile: '0491 000 903' },
  ]

  await Promise.all(fields.map((field) => at.save({ people: [{ uid, ...field }] })))
  const busy = await at.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('evac import'), hashtext('SMALL'))`.execute(tx)
    return at.save({ people: [{ uid, email: '' }] }, { waitMs: 20 }).catch((error) => error)
  })

  expect(busy).toMatchObject({ code: '55P03' })
  const row = `select first_name, last_name, p.email, p.mobile, f.code as floor from person p join floor f on f.uid = primary_floor_uid where p.code = 'P3'`
  expect(await rowsOf(at.db, row)).toEqual([
    { firstName: 'Clea', lastName: 'Chung', email: 'clea@small.test', mobile: '61491000903', floor: 'G' },
  ])
})

test('PPL-03 two organisations give one e-mail to a warden each at once; a name that was taken meanwhile is a reason', async () => {
  await using at = await openForm()
  at.folder.edit('organisation.csv', 'SMALL,Small Ltd', 'OTHER,Other Ltd')
  await importOrganisation({ db: at.db, folder: at.folder.path })
  const [other] = await rowsOf<{ uid: ClientUid }>(at.db, "select uid from client where code = 'OTHER'")
  const rows = { people: [{ code: 'P3', email: 'same@both.test', username: 'cleo' }] }

  const both = await Promise.all([at.save(rows), at.save(rows, { uid: other?.uid as ClientUid })])
  const account = `select count(*) as accounts, count(distinct owner_client_uid) as owners from account where email = 'same@both.test'`
  const found = await rowsOf(at.db, account)
  const taking = at.db.transaction().execute(async (tx) => {
    await sql`insert into account (owner_client_uid, username) values (${at.clientUid}, 'quick')`.execute(tx)
    const late = at.save({ people: [{ code: 'P1', username: 'quick' }] }).catch((error) => error)
    const waiting = 'select count(*)::int as n from pg_locks where not granted'
    await expect.poll(() => rowsOf(at.db, waiting)).toEqual([{ n: 1 }])
    return () => late
  })

  expect(both.map(({ problems }) => problems)).toEqual([undefined, undefined])
  expect(found).toEqual([{ accounts: 2, owners: 2 }])
  // no one stands behind the account, so its name is free once it is seen
  expect(await (await taking)()).toMatchObject({ left: [] })
  expect(
    await rowsOf(
      at.db,
      `select username from account a join person p on p.account_uid = a.uid where p.code = 'P1' and p.client_uid = '${at.clientUid}'`,
    ),
  ).toEqual([{ username: 'quick' }])
})

test('IMP-11 a form never writes more than 5,000 rows', async () => {
  await using at = await openForm()
  const people = Array.from({ length: 5_001 }, (_, n) => ({ code: `M${n}`, first_name: 'Mira', last_name: 'Many' }))

  await expect(at.save({ people })).rejects.toMatchObject({ code: 'invalid_request' })
  expect(await rowsOf(at.db, 'select count(*)::int as n from person')).toEqual([{ n: 4 }])
})

import { expect, test } from 'vitest'
import type { Db } from '#server/platform/db/db.ts'
import { verifyPassword } from '#server/platform/passwords.ts'
import { changesOf, openImportTest, rowsOf } from '#server/testing/import-test.ts'

const header = 'code,first_name,last_name,email,username,mobile,password'
const peopleFile = (...rows: string[]) => `${header}\n${rows.map((row) => `${row}\n`).join('')}`
const noPlansOrWardens = { 'peeps.csv': undefined, 'assignments.csv': undefined }

interface AccountRow {
  email: string | null
  username: string | null
  mobile: string | null
  passwordHash: string | null
}
const accounts = (db: Db) => rowsOf<AccountRow>(db, 'select * from account order by email, username, mobile')
const problems = (report: { errors: { line: number; column: string; reason: string }[] }) =>
  report.errors.map(({ line, column, reason }) => `${line} ${column} ${reason}`)

test('AUTH-06 a password is hashed again only when its cell changed', async () => {
  await using at = await openImportTest({
    ...noPlansOrWardens,
    'people.csv': peopleFile('P1,Ada,Abara,ada@small.test,,,evacuate1'),
  })
  await at.run()
  const [first] = await accounts(at.db)

  const same = await at.run()
  at.folder.edit('people.csv', 'evacuate1', 'evacuate2')
  await at.run()
  const [changed] = await accounts(at.db)

  expect(changesOf(same)).toEqual({})
  expect(await verifyPassword(first?.passwordHash ?? '', 'evacuate1')).toBe(true)
  expect(await verifyPassword(changed?.passwordHash ?? '', 'evacuate2')).toBe(true)
})

test('AUTH-06 a password changed elsewhere since the import stays', async () => {
  await using at = await openImportTest({
    ...noPlansOrWardens,
    'people.csv': peopleFile('P1,Ada,Abara,ada@small.test,,,evacuate1'),
  })
  await at.run()
  await rowsOf(at.db, "update account set password_hash = 'reset by its owner'")

  const report = await at.run()

  expect(changesOf(report)).toEqual({})
  expect(await accounts(at.db)).toMatchObject([{ passwordHash: 'reset by its owner' }])
})

test('AUTH-06 a new email of a person who keeps their code changes their account', async () => {
  await using at = await openImportTest({
    ...noPlansOrWardens,
    'people.csv': peopleFile('P1,Ada,Abara,ada@small.test,,,evacuate1'),
  })
  await at.run()

  at.folder.edit('people.csv', 'ada@small.test', 'ada.brandt@small.test')
  await at.run()

  expect(await accounts(at.db)).toMatchObject([{ email: 'ada.brandt@small.test' }])
})

test('AUTH-06 a mobile passes from one warden to the next, and two may swap, in one run', async () => {
  await using at = await openImportTest({
    ...noPlansOrWardens,
    'people.csv': peopleFile('P1,Ada,Abara,,ada,0491000001,', 'P2,Ben,Brandt,,ben,0491000002,'),
  })
  await at.run()

  at.folder.write(
    'people.csv',
    peopleFile('P1,Ada,Abara,,ada,0491000002,', 'P2,Ben,Brandt,,ben,0491000003,', 'P3,Cleo,Cho,,cleo,0491000001,'),
  )
  const report = await at.run()

  expect(problems(report)).toEqual([])
  expect(await rowsOf(at.db, 'select username, mobile from account order by username')).toEqual([
    { username: 'ada', mobile: '61491000002' },
    { username: 'ben', mobile: '61491000003' },
    { username: 'cleo', mobile: '61491000001' },
  ])
})

test('AUTH-06 the duty phone of someone who left goes to their successor', async () => {
  await using at = await openImportTest({
    ...noPlansOrWardens,
    'people.csv': peopleFile('P1,Ada,Abara,,ada,0491000001,'),
  })
  await at.run()

  at.folder.write('people.csv', peopleFile('P2,Ben,Brandt,,ben,0491000001,'))
  const clash = await at.run()
  const report = await at.run({ deactivateMissing: true })

  expect(problems(clash)).toEqual(["2 mobile belongs to another person's account"])
  expect(problems(report)).toEqual([])
  expect(await rowsOf(at.db, 'select username, mobile from account order by username')).toEqual([
    { username: 'ben', mobile: '61491000001' },
    { username: null, mobile: null },
  ])
})

test('AUTH-06 a sign-in name that two people would share is an error at the later row', async () => {
  await using at = await openImportTest({
    ...noPlansOrWardens,
    'people.csv': peopleFile(
      'P1,Ada,Abara,ada@small.test,ada,0491000001,',
      'P2,Ben,Brandt,ADA@small.test,ben,,evacuate1',
      'P3,Cleo,Cho,,Ada,,',
      'P4,Dan,Diaz,,dan,0491000001,',
      'P5,Eve,Eriksen,ada@small.test,,,',
    ),
  })

  const report = await at.run()

  // the last row has no account: an address for post may be shared
  expect(problems(report)).toEqual([
    '3 email is also that of the person on line 2',
    '4 username is also that of the person on line 2',
    '5 mobile is also that of the person on line 2',
  ])
})

test('AUTH-06 a sign-in name of someone in the database is an error', async () => {
  await using at = await openImportTest({
    ...noPlansOrWardens,
    'people.csv': peopleFile('P1,Ada,Abara,,ada,0491000001,', 'P2,Ben,Brandt,,ben,,'),
  })
  await at.run()

  at.folder.write('people.csv', peopleFile('P2,Ben,Brandt,,ADA,0491000001,', 'P9,Nia,Nunes,,nia,0491000001,'))
  const report = await at.run()

  expect(problems(report)).toEqual([
    "2 username belongs to another person's account",
    "2 mobile belongs to another person's account",
    '3 mobile is also that of the person on line 2',
  ])
})

test('AUTH-06 someone who becomes a visitor gives the account up', async () => {
  await using at = await openImportTest({
    ...noPlansOrWardens,
    'people.csv': `${header},floor,kind,visit_date\nP1,Ada,Abara,,ada,0491000001,,,staff,\n`,
  })
  await at.run()

  at.folder.write(
    'people.csv',
    `${header},floor,kind,visit_date\nP1,Ada,Abara,,,0491000001,,B1,visitor,today\nP2,Ben,Brandt,,ada,,,,staff,\n`,
  )
  const report = await at.run()

  expect(problems(report)).toEqual([])
  expect(
    await rowsOf(at.db, 'select code, username from person left join account a on a.uid = account_uid order by code'),
  ).toEqual([
    { code: 'P1', username: null },
    { code: 'P2', username: 'ada' },
  ])
})

test('AUTH-06 a password set anew while an import runs is not put back', async () => {
  await using at = await openImportTest({
    ...noPlansOrWardens,
    'people.csv': peopleFile('P1,Grace,Okafor,chief@harbour.test,,0491000001,evacuate1'),
    'documents.csv': 'code,name,file,site\nD1,Plan,plan.txt,S1\n',
    'plan.txt': 'Leave by the stairs.',
  })
  /** After passwords were checked, before anything is written. */
  const documents = {
    read: async () => undefined,
    remove: async () => undefined,
    check: async () => undefined,
    keep: async () => void (await rowsOf(at.db, "update account set password_hash = 'set by mail'")),
  }
  await at.run({ documents: { ...documents, keep: async () => undefined } })

  at.folder.edit('people.csv', '0491000001', '0491000002')
  const report = await at.run({ documents })

  expect(changesOf(report)).toHaveProperty('accounts')
  expect(await accounts(at.db)).toMatchObject([{ mobile: '61491000002', passwordHash: 'set by mail' }])
})

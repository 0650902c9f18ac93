import { expect, test } from 'vitest'
import type { ClientUid } from '#kernel/ids.ts'
import { openImportTest, rowsOf } from '#server/testing/import-test.ts'
import { exportTables } from './tables/export.service.ts'

/** Of these the day of one is always before that of the other, so that a wrong zone shows. */
const [behind, ahead] = ['Pacific/Pago_Pago', 'Pacific/Kiritimati']
const dayIn = (timeZone: string) => new Date().toLocaleDateString('en-CA', { timeZone })
const inTwoYears = (day: string) => {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + 24)
  return date.toISOString().slice(0, 10)
}

type At = Awaited<ReturnType<typeof openImportTest>>

const openPlans = () =>
  openImportTest({
    'organisation.csv': `code,name,timezone,country\nSMALL,Small Ltd,${behind},AU\n`,
    'sites.csv': `code,name,timezone\nS1,Main Site,${ahead}\nS2,Far Site,${behind}\n`,
    'buildings.csv': 'site,code,name\nS1,B1,North House\nS2,B2,Far House\n',
    'floors.csv': 'building,code,name,level\nB1,G,Ground,0\nB1,L1,Level 1,1\nB2,G,Ground,0\n',
    'peeps.csv': 'person,assistance,consent,consent_on,review_on\nP3,Tell in person,person,today,today\n',
  })
const plans = ({ db }: At) => rowsOf(db, 'select uid, consent_on, review_on from peep where active')
async function exportedPlans({ db }: At): Promise<string> {
  const [client] = await rowsOf<{ uid: ClientUid }>(db, 'select uid from client')
  const wanted = { plans: true, people: null, assignments: null }
  const { files } = await exportTables(db, client?.uid as ClientUid, wanted)
  return [...(files.find(({ name }) => name === 'peeps.csv')?.lines() ?? [])].join('')
}

test('PEEP-11 the days of a plan are those of the site of the person, in a table as in the form', async () => {
  await using at = await openPlans()

  expect((await at.run()).errors).toEqual([])

  const today = dayIn(ahead)
  expect(await plans(at)).toEqual([expect.objectContaining({ consentOn: today, reviewOn: today })])
  at.folder.write('people.csv', 'code,first_name,last_name,floor\nP3,Cleo,Cho,B2/G\nP4,Dan,Day,\n')
  const rows = ['P3', 'P4'].map((code) => `${code},Chair,person,${today},${inTwoYears(today)}`)
  at.folder.write('peeps.csv', `person,assistance,consent,consent_on,review_on\n${rows.join('\n')}\n`)
  expect((await at.run()).errors.map(({ line, column, reason }) => `${line} ${column} ${reason}`)).toEqual([
    // at the other site, and without one in the organisation, the day has not come yet; what is stored stays
    '2 review_on is more than 24 months away',
    '3 consent_on is after today',
    '3 review_on is more than 24 months away',
  ])
})

test('PEEP-11 a plan that is exported and imported again stays as it is, also after a move to another zone', async () => {
  await using at = await openPlans()
  await at.run()
  const before = await plans(at)

  at.folder.write('peeps.csv', await exportedPlans(at))
  expect((await at.run()).errors).toEqual([])
  at.folder.write('people.csv', 'code,first_name,last_name,floor\nP1,Ada,Abara,B1/G\nP3,Cleo,Cho,B2/G\n')
  expect((await at.run()).errors).toEqual([])

  expect(await plans(at)).toEqual(before)
})

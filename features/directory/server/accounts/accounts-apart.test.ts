import { expect } from 'vitest'
import { listReportInCards } from '#features/duty/calls/report-in.ts'
import { requestPasswordReset, resetPassword } from '#features/sign-in/calls/password-reset.ts'
import { loginByMobile, rejoin, verifyLoginByMobile } from '#features/sign-in/calls/sign-in.ts'
import { givenFolder } from '#server/testing/given-folder.ts'
import { rowsOf } from '#server/testing/import-test.ts'
import { mailsTo, sendMails } from '#server/testing/mails.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { sendTexts, textsOn, tokenIn } from '#server/testing/texts.ts'
import { importOrganisation } from '../import.service.ts'

const header = 'code,first_name,last_name,email,username,mobile,password'
const newPassword = 'nine lamps on the quay'

/** An organisation whose one chief warden is this row of people.csv. */
function chiefOf(code: string, row: string) {
  const folder = givenFolder({
    'organisation.csv': `code,name,sms_allowed\n${code},${code} Ltd,yes\n`,
    'people.csv': `${header}\n${row}\n`,
    'assignments.csv': 'person,role,site,date_from,date_to,status\nP1,CHIEF,S1,2020-01-01,2099-12-31,Accepted\n',
    'peeps.csv': undefined,
    'documents.csv': undefined,
  })
  return {
    code,
    folder,
    /** Another row instead. */
    write: (next: string) => folder.write('people.csv', `${header}\n${next}\n`),
    run: (server: TestServer) => importOrganisation({ db: server.db, folder: folder.path }),
  }
}
type Organisation = ReturnType<typeof chiefOf>

/** Imports these organisations, in this order, and no other is there. Answers what removes their folders. */
async function imported(server: TestServer, ...organisations: Organisation[]) {
  await server.database.owner.pg.query(
    'truncate client, account, throttle, recent_attempt, simulated_mail, simulated_text cascade',
  )
  for (const organisation of organisations)
    expect(await organisation.run(server)).toMatchObject({ errors: [], notes: [] })
  return {
    [Symbol.dispose]: () => {
      for (const { folder } of organisations) folder[Symbol.dispose]()
    },
  }
}

/** The organisations whose cards the session shows. */
async function cardsOf(server: TestServer, accessToken: string): Promise<string[]> {
  const cards = await server.callWith(accessToken)(listReportInCards, { query: { signInMethod: 'Email' } })
  const rows = await rowsOf<{ uid: string; code: string }>(
    server.db,
    'select p.uid, c.code from person p join client c on c.uid = p.client_uid',
  )
  return cards.map(({ Person_UID }) => rows.find(({ uid }) => uid === Person_UID)?.code ?? 'nobody').toSorted()
}
const byPassword = async (server: TestServer, name: string, password: string) =>
  cardsOf(server, (await server.signIn(name, password)).access_token)

async function linkTo(server: TestServer, mobile: string): Promise<string> {
  await server.stranger(loginByMobile, { body: { phone: mobile } })
  await sendTexts(server)
  return tokenIn((await textsOn(server, mobile)).at(-1))
}
const redeem = (server: TestServer, token: string) => server.stranger(verifyLoginByMobile, { body: { token } })
async function byLink(server: TestServer, mobile: string): Promise<string[]> {
  const reply = await redeem(server, await linkTo(server, mobile))
  return reply.tokenStatus === 'valid' ? cardsOf(server, reply.access_token) : []
}

async function resetTo(server: TestServer, email: string): Promise<string> {
  await server.stranger(requestPasswordReset, { body: { email } })
  await sendMails(server)
  const [mail] = (await mailsTo(server, email)).filter(({ body }) => body.includes('token='))
  return tokenIn(/\S+token=\S+/.exec(mail?.body ?? '')?.[0])
}
const setPassword = async (server: TestServer, token: string) =>
  (await server.stranger(resetPassword, { body: { token, password: newPassword } })).outcome

const accountsOf = (server: TestServer, code: string) =>
  rowsOf<{ uid: string }>(
    server.db,
    `select a.* from account a join person p on p.account_uid = a.uid join client c on c.uid = p.client_uid
    where c.code = '${code}'`,
  )

const victims = {
  'no email': 'P1,Grace,Okafor,,grace,0491000001,evacuate1',
  'no mobile': 'P1,Grace,Okafor,grace@victim.test,,,evacuate1',
  'no user name': 'P1,Grace,Okafor,grace@victim.test,,0491000001,evacuate1',
  'no password': 'P1,Grace,Okafor,grace@victim.test,,0491000001,',
}

test.for(Object.entries(victims))(
  'AMB-038 T28 another organisation fills nothing in, whose person is named like one with %s, and is told nothing',
  async ([, row], { server }) => {
    const attacker = chiefOf('ATTACKER', 'P1,Gray,Oak,mallory@attacker.test,grace,0491000001,mallory1')
    using _folders = await imported(server, chiefOf('VICTIM', row))
    const before = await accountsOf(server, 'VICTIM')

    const reports = []
    for (const next of [
      'P1,Gray,Oak,mallory@attacker.test,grace,0491000001,mallory1',
      'P1,Gray,Oak,grace@victim.test,mallory,0491000002,mallory1',
      'P1,Gray,Oak,grace@victim.test,grace,0491000001,mallory2',
    ]) {
      attacker.write(next)
      reports.push(await attacker.run(server))
    }
    attacker.folder[Symbol.dispose]()

    expect(reports.flatMap(({ errors, notes }) => [...errors, ...notes])).toEqual([])
    expect(await accountsOf(server, 'VICTIM')).toEqual(before)
  },
)

test.for([['first'], ['second']])(
  'AMB-038 T28 an organisation that came %s opens its own cards alone by the password, mobile and email it chose',
  async ([place], { server }) => {
    const row = (name: string, mobile: string) => `P1,Gray,Oak,${name},grace,${mobile},mallory1`
    const attacker = chiefOf('ATTACKER', row('grace@victim.test', '0491000009'))
    const victim = chiefOf('VICTIM', 'P1,Grace,Okafor,grace@victim.test,grace,0491000001,evacuate1')
    using _folders = await imported(server, ...(place === 'first' ? [attacker, victim] : [victim, attacker]))

    expect(await byPassword(server, 'grace@victim.test', 'mallory1')).toEqual(['ATTACKER'])
    expect(await byPassword(server, 'grace', 'mallory1')).toEqual(['ATTACKER'])
    expect(await byLink(server, '61491000009')).toEqual(['ATTACKER'])
    attacker.write(row('mallory@attacker.test', '0491000001'))
    expect(await attacker.run(server)).toMatchObject({ errors: [], notes: [] })
    expect(await setPassword(server, await resetTo(server, 'mallory@attacker.test'))).toBe('changed')
    expect(await byPassword(server, 'mallory@attacker.test', newPassword)).toEqual(['ATTACKER'])
    expect(await byPassword(server, 'grace@victim.test', 'evacuate1')).toEqual(['VICTIM'])
  },
)

test('T11 T28 an organisation that imports its guesses as passwords of its own has no more tries than others', async ({
  server,
}) => {
  const row = (guess: string) => `P1,Gray,Oak,grace@victim.test,,,${guess}`
  const attacker = chiefOf('ATTACKER', row('guess-one'))
  const victim = chiefOf('VICTIM', 'P1,Grace,Okafor,grace@victim.test,,0491000001,evacuate1')
  using _folders = await imported(server, victim, attacker)
  for (let guess = 0; guess < 30; guess++) {
    attacker.write(row(`guess-${guess}`))
    await attacker.run(server)
    await server.signIn('grace@victim.test', `guess-${guess}`).catch(() => undefined)
  }
  attacker.write(row('evacuate1'))
  await attacker.run(server)

  const opened = await byPassword(server, 'grace@victim.test', 'evacuate1').catch(() => ['refused'])

  expect(opened).not.toContain('VICTIM')
})

test('API-11 T3 T28 a rejoin by the uid or card of the person elsewhere with the same name is refused', async ({
  server,
}) => {
  using _folders = await imported(
    server,
    chiefOf('VICTIM', 'P1,Grace,Okafor,grace@victim.test,,0491000001,evacuate1'),
    chiefOf('ATTACKER', 'P1,Gray,Oak,grace@victim.test,,0491000001,mallory1'),
  )
  const { access_token } = await server.signIn('grace@victim.test', 'mallory1')
  const [grace] = await rowsOf<{ uid: string }>(server.db, "select uid from person where first_name = 'Grace'")

  const asGrace = server.callWith(access_token)(rejoin, { body: { person_uid: grace?.uid as never } })

  expect(await refused(asGrace)).toEqual(['unauthorized_access'])
})

const home = 'P1,Sofia,Rossi,both@harbour.test,,0491000010,evacuate1'
const away = 'P1,Sofia,Rossi,BOTH@harbour.test,sofia,+61 491 000 010,evacuate2'

test('AMB-038 a link to the mobile that both organisations have opens the cards of both', async ({ server }) => {
  using _folders = await imported(server, chiefOf('HOME', home), chiefOf('AWAY', away))

  expect(await byPassword(server, 'both@harbour.test', 'evacuate1')).toEqual(['HOME'])
  expect(await byPassword(server, 'both@harbour.test', 'evacuate2')).toEqual(['AWAY'])
  expect(await byLink(server, '61491000010')).toEqual(['AWAY', 'HOME'])
})

test('AMB-028 AMB-038 a password set by the link in a mail opens both organisations that have the address', async ({
  server,
}) => {
  using _folders = await imported(server, chiefOf('HOME', home), chiefOf('AWAY', away))

  expect(await setPassword(server, await resetTo(server, 'both@harbour.test'))).toBe('changed')

  expect(await byPassword(server, 'both@harbour.test', newPassword)).toEqual(['AWAY', 'HOME'])
  expect(await byPassword(server, 'sofia', newPassword)).toEqual(['AWAY'])
})

test('T28 a link opens nothing once the organisation has given its person another address', async ({ server }) => {
  const organisation = chiefOf('HOME', home)
  using _folders = await imported(server, organisation)
  const [link, reset] = [await linkTo(server, '61491000010'), await resetTo(server, 'both@harbour.test')]

  organisation.write('P1,Sofia,Rossi,sofia@harbour.test,,0491000011,evacuate1')
  await organisation.run(server)

  expect(await redeem(server, link)).toEqual({ tokenStatus: 'expired' })
  expect(await setPassword(server, reset)).toBe('link_over')
})

test('T28 an organisation takes over no one whom another has ended, and who comes back is as before', async ({
  server,
}) => {
  const victim = chiefOf('VICTIM', 'P1,Grace,Okafor,grace@victim.test,,0491000001,evacuate1')
  using _folders = await imported(server, victim)
  await rowsOf(server.db, 'update person set active = false')
  using folder = chiefOf('ATTACKER', 'P1,Gray,Oak,grace@victim.test,,0491000001,mallory1').folder

  await importOrganisation({ db: server.db, folder: folder.path })
  await victim.run(server)

  expect(await byPassword(server, 'grace@victim.test', 'mallory1')).toEqual(['ATTACKER'])
  expect(await byPassword(server, 'grace@victim.test', 'evacuate1')).toEqual(['VICTIM'])
})

test('T28 two organisations that import the same address at once each have their own', async ({ server }) => {
  using _folders = await imported(server)
  const [one, other] = [chiefOf('HOME', home), chiefOf('AWAY', away)]
  using _one = one.folder
  using _other = other.folder

  const reports = await Promise.all([one.run(server), other.run(server)])

  expect(reports).toMatchObject([{ errors: [] }, { errors: [] }])
  expect(await byLink(server, '61491000010')).toEqual(['AWAY', 'HOME'])
})

test('T28 a password that an import changes ends the sessions of that organisation, and takes its cards from others', async ({
  server,
}) => {
  const elsewhere = chiefOf('AWAY', away)
  using _folders = await imported(server, chiefOf('HOME', home), elsewhere)
  const { access_token } = await server.signIn('both@harbour.test', 'evacuate2')
  const reply = await redeem(server, await linkTo(server, '61491000010'))
  if (reply.tokenStatus !== 'valid') throw new Error('no session')
  const [homePerson] = await rowsOf<{ uid: string }>(
    server.db,
    "select p.uid from person p join client c on c.uid = p.client_uid where c.code = 'HOME'",
  )
  const person_uid = homePerson?.uid as never
  const atHome = await server.callWith(reply.access_token)(rejoin, { body: { person_uid } })

  elsewhere.write(away.replace('evacuate2', 'evacuate3'))
  await elsewhere.run(server)

  expect(await refused(cardsOf(server, access_token))).toEqual(['not_signed_in'])
  expect(await cardsOf(server, atHome.access_token)).toEqual(['HOME'])
})

test('T28 a rejoin while an import changes the password elsewhere does not bring those cards along', async ({
  server,
}) => {
  const elsewhere = chiefOf('AWAY', away)
  using _folders = await imported(server, chiefOf('HOME', home), elsewhere)
  const reply = await redeem(server, await linkTo(server, '61491000010'))
  if (reply.tokenStatus !== 'valid') throw new Error('no session')
  const [own] = await rowsOf<{ uid: string }>(
    server.db,
    "select p.uid from person p join client c on c.uid = p.client_uid where c.code = 'HOME'",
  )
  const person_uid = own?.uid as never
  const atHome = await server.callWith(reply.access_token)(rejoin, { body: { person_uid } })
  const [account] = await accountsOf(server, 'AWAY')
  const held = await server.hold('account', account?.uid as string)

  elsewhere.write(away.replace('evacuate2', 'evacuate3'))
  const run = elsewhere.run(server)
  await held.waiting(1)
  const again = server.callWith(atHome.access_token)(rejoin, { body: { person_uid } })
  await held.waiting(2)
  await held.release()
  await run

  expect(await cardsOf(server, (await again).access_token)).toEqual(['HOME'])
})

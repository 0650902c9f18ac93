import { asOperator } from '#features/authority/server/decide.ts'
import { inAct } from '#features/authority/server/in-act.service.ts'
import { tellingOf } from '#features/authority/server/told.service.ts'
import { insertAccount } from '#features/authority/server/writes/accounts.queries.ts'
import { insertGrant } from '#features/authority/server/writes/grants.queries.ts'
import { type PersonFields, readFirstFields } from '#features/directory/server/form-fields.service.ts'
import { hasOrganisation, insertStaff } from '#features/organisation/server/found.queries.ts'
import { foundOrganisation, holdSetUp } from '#features/organisation/server/found.service.ts'
import { giveTicket } from '#features/sign-in/server/console/console-sign-in.service.ts'
import { newPasswordSentences, passwordsDiffer } from '#features/sign-in/words.ts'
import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Services } from '#server/http/services.ts'
import { type Db, inClients, type Tx } from '#server/platform/db/db.ts'
import { record, unattended } from '#server/platform/db/journal.ts'
import { takeRecentOfNetwork } from '#server/platform/db/network-limits.ts'
import { fieldRefusal, Refusal } from '#server/platform/errors.ts'
import { inStrangersTurn } from '#server/platform/fair-turns.ts'
import type { Network } from '#server/platform/network.ts'
import { newPasswordProblem } from '#server/platform/new-password.ts'
import { hashPassword } from '#server/platform/passwords.ts'
import { hmac, isSameText, keyring, sha256 } from '#server/platform/secrets.ts'
import { readDatabaseIdentity } from '#server/realtime/feed/epoch.queries.ts'
import type { setUp } from '../calls/set-up.ts'

/** Wrong tokens of a network. */
const wrongTokens = { limit: 10, minutes: 15 }

/** The same at every node and start, another one for another database. */
const setUpToken = async (system: Db, key: Uint8Array) => hmac(key, await readDatabaseIdentity(system))

/** The line for the person at the terminal, while there is no organisation. */
export async function findSetUpLine(
  system: Db,
  { key, appUrl }: { key: Uint8Array; appUrl: string },
): Promise<string | undefined> {
  if (await hasOrganisation(system)) return undefined
  return `No organisation yet. Set up: ${appUrl}/console/set-up#${await setUpToken(system, key)}`
}

type SetUp = CallInput<typeof setUp>['body']

/** Makes the first organisation and its first administrator in one transaction. Of two at once one succeeds. */
export async function makeFirst(app: Services, input: SetUp, network: Network): Promise<CallAnswer<typeof setUp>> {
  await inStrangersTurn(network.site, () => requireToken(app, input.token, network))
  const wrong = await passwordProblems(input)
  const { organisation, person } = readFirstFields(input.organisation, input.administrator, wrong)
  const passwordHash = await hashPassword(input.password, { lane: network.site, rank: 0 })
  const { code, name, timezone, country } = organisation
  const accountUid = await inClients(app.system, [], async (tx) => {
    await holdSetUp(tx)
    const clientUid = await foundOrganisation(
      tx,
      { code, name, timezone, country, contactEmail: person.email },
      input.set,
    )
    const telling = tellingOf({ config: app.config, jobs: app.jobs, now: app.clock.now() })
    return inAct(telling, tx, asOperator(clientUid), { act: 'appoint', people: [] }, () =>
      appointFirst(tx, clientUid, person, passwordHash),
    )
  })
  return giveTicket(app, app.system, { accountUid, passwordDigest: sha256(passwordHash), hasSecondFactor: false })
}

async function passwordProblems({ password, again = password, administrator }: SetUp) {
  const { first_name: firstName, last_name: lastName, email } = administrator
  const problem = await newPasswordProblem(password, { email, usernames: [], people: [{ firstName, lastName }] })
  return [
    ...(problem ? [{ field: 'password', message: newPasswordSentences[problem] }] : []),
    ...(again === password ? [] : [{ field: 'again', message: passwordsDiffer }]),
  ]
}

async function requireToken(app: Services, token: string, network: Network): Promise<void> {
  const { system, secrets, clock } = app
  if (await hasOrganisation(system)) throw new Refusal('already_set_up')
  for (const key of keyring(secrets, 'setUp')) if (isSameText(token, await setUpToken(system, key))) return
  if (await takeRecentOfNetwork(system, 'set-up', network, wrongTokens, clock.now()))
    throw fieldRefusal('forbidden', 'This token is not valid. Open the address that the server printed.', 'token')
  throw new Refusal('too_many_attempts', `Too many failed attempts. Try again in ${wrongTokens.minutes} minutes.`)
}

/** The first administrator: the whole organisation, with the Plans permission. */
async function appointFirst(tx: Tx, clientUid: ClientUid, person: PersonFields, passwordHash: string): Promise<string> {
  const personUid = await insertStaff(tx, { clientUid, ...person })
  const { email, mobile } = person
  const accountUid = await insertAccount(tx, { ownerClientUid: clientUid, email, mobile, passwordHash }, personUid)
  if (!accountUid) throw new Error('an account in a new organisation')
  await recordFirst(tx, clientUid, personUid)
  return accountUid
}

async function recordFirst(tx: Tx, clientUid: ClientUid, personUid: PersonUid): Promise<void> {
  const reach = { reach: 'organisation', siteUid: null, groupUid: null, seesPlans: true } as const
  const uid = await insertGrant(tx, { clientUid, personUid, ...reach, grantedByPersonUid: null })
  await record(tx, unattended(clientUid), {
    action: 'administrator_appointed',
    subjectType: 'administrator',
    subjectUid: uid,
    after: { person_uid: personUid, reach: 'organisation', sees_plans: true },
  })
}

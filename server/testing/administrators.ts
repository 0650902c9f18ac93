import type { AdministratorUid, ClientUid, GroupUid, PersonUid, SiteUid } from '#kernel/ids.ts'
import { currentCode, newSecret } from '../platform/one-time-codes.ts'
import { hashPassword } from '../platform/passwords.ts'
import { deriveSecrets, encrypt, newToken, sha256 } from '../platform/secrets.ts'
import { testPassword } from './given-wardens.ts'
import { secretKey, type TestServer } from './test-server.ts'

export const secrets = deriveSecrets(secretKey)

/** Time that stands still until the test moves it on: a code counts once per half a minute. */
export const steppingClock = () => {
  let ms = Date.now()
  return {
    now: () => new Date(ms),
    pass: (seconds: number) => {
      ms += seconds * 1000
    },
  }
}

export interface GivenAdministrator {
  clientUid: ClientUid
  administratorUid: AdministratorUid
  personUid: PersonUid
  accountUid: string
  email: string
  /** What the authenticator knows. */
  secret: Buffer
}

interface AdministratorOver {
  reach?: 'organisation' | 'site' | 'group'
  siteUid?: SiteUid
  groupUid?: GroupUid
  seesPlans?: boolean
  email?: string
  firstName?: string
  lastName?: string
  /** Without a password, as after an invitation. */
  isInvited?: boolean
  /** Without a second factor, as after the first password. */
  isNew?: boolean
  /** A person who is there already, with an account. */
  person?: { personUid: PersonUid; accountUid: string; email: string }
}

/** Sets a second factor up for an account. */
export async function givenSecondFactor({ db }: Pick<TestServer, 'db'>, accountUid: string, secret = newSecret()) {
  await db
    .insertInto('secondFactor')
    .values({ accountUid, secret: encrypt(secrets.secondFactors, secret, accountUid), lastStep: 0 })
    .execute()
}

let number = 0
let usualHash: Promise<string> | undefined

/** An administrator of the whole organisation with password and second factor, unless said otherwise. */
export async function givenAdministrator(
  { db }: Pick<TestServer, 'db'>,
  { clientUid }: { clientUid: ClientUid },
  over: AdministratorOver = {},
): Promise<GivenAdministrator> {
  usualHash ??= hashPassword(testPassword)
  const passwordHash = await usualHash
  const person = over.person ?? (await insertPerson(db, clientUid, over, over.isInvited ? null : passwordHash))
  const secret = newSecret()
  if (!over.isNew && !over.isInvited) await givenSecondFactor({ db }, person.accountUid, secret)
  const grant = await db
    .insertInto('administrator')
    .values({
      clientUid,
      personUid: person.personUid,
      reach: over.reach ?? 'organisation',
      siteUid: over.siteUid ?? null,
      groupUid: over.groupUid ?? null,
      seesPlans: over.seesPlans ?? false,
    })
    .returning('uid')
    .executeTakeFirstOrThrow()
  return { clientUid, administratorUid: grant.uid, ...person, secret }
}

async function insertPerson(db: TestServer['db'], clientUid: ClientUid, over: AdministratorOver, hash: string | null) {
  const n = ++number
  const email = over.email ?? `admin${n}@evac.test`
  const account = await db
    .insertInto('account')
    .values({ ownerClientUid: clientUid, email, passwordHash: hash })
    .returning('uid')
    .executeTakeFirstOrThrow()
  const person = await db
    .insertInto('person')
    .values({
      clientUid,
      email,
      accountUid: account.uid,
      code: `A${n}`,
      firstName: over.firstName ?? 'Admin',
      lastName: over.lastName ?? String(n).padStart(3, '0'),
    })
    .returning('uid')
    .executeTakeFirstOrThrow()
  return { personUid: person.uid, accountUid: account.uid, email }
}

interface SessionOver {
  expiresAt?: Date
  revokedAt?: Date
  seenAt?: Date
  confirmedAt?: Date
}

/** Signed in to the console without the cost of password and code; a code has just been given, unless said otherwise. */
export async function asAdministrator(server: TestServer, given: GivenAdministrator, over: SessionOver = {}) {
  const token = newToken(secrets.console)
  const { passwordHash } = await server.db
    .selectFrom('account')
    .select('passwordHash')
    .where('uid', '=', given.accountUid)
    .executeTakeFirstOrThrow()
  await server.db
    .insertInto('consoleSession')
    .values({
      tokenHash: sha256(token),
      accountUid: given.accountUid,
      passwordDigest: sha256(passwordHash ?? ''),
      expiresAt: new Date(Date.now() + 3_600_000),
      ...over,
    })
    .execute()
  return Object.assign(server.callWith(token), { token })
}

/** What the authenticator shows. */
export const codeOf = ({ secret }: Pick<GivenAdministrator, 'secret'>, now: Date): string => currentCode(secret, now)

/** A group with these members. */
export async function givenGroup(
  { db }: Pick<TestServer, 'db'>,
  { clientUid }: { clientUid: ClientUid },
  members: readonly PersonUid[] = [],
): Promise<GroupUid> {
  const n = ++number
  const { uid } = await db
    .insertInto('peopleGroup')
    .values({ clientUid, code: `G${n}`, name: `Group ${n}` })
    .returning('uid')
    .executeTakeFirstOrThrow()
  for (const personUid of members)
    await db.insertInto('peopleGroupMember').values({ clientUid, groupUid: uid, personUid }).execute()
  return uid
}

import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { reportIn } from '#features/duty/calls/report-in.ts'
import { type CreateEventInput, createEvent } from '#features/events/calls/events.ts'
import { login } from '#features/sign-in/calls/sign-in.ts'
import { type CallOptions, createCaller } from '#kernel/client/client.ts'
import type { EventUid, PersonUid, SignInUid } from '#kernel/ids.ts'
import { findAdministrator } from '../administrators/live-console-session.ts'
import { buildApp } from '../app.ts'
import { readTurns } from '../http/read-turns.ts'
import type { Services } from '../http/services.ts'
import { systemClock } from '../platform/clock.ts'
import { readConfig } from '../platform/config/config.ts'
import { openBatches } from '../platform/db/batches.ts'
import { oneStatementOn } from '../platform/db/db.ts'
import { openJobs } from '../platform/db/jobs.ts'
import { shareReads } from '../platform/db/shared-reads.ts'
import { folderStore } from '../platform/documents/document-folder.ts'
import { createMetrics } from '../platform/observability/metrics.ts'
import { deriveSecrets, newToken, sha256 } from '../platform/secrets.ts'
import { findActor } from '../wardens/live-session.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import { startInput } from './event-input.ts'
import { createGiven } from './given.ts'
import type { Organisation } from './given-places.ts'
import { testPassword, type Warden } from './given-wardens.ts'
import { holdRow } from './hold-row.ts'

export const secretKey = 'a secret for tests only, long enough'
export const testConfig = readConfig({
  LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
  SECRET_KEY: secretKey,
  REQUESTS_PER_MINUTE: '1000000',
  WEB_PUSH_CONTACT: 'push@evac.test',
})

/** A session that is unlike the one after a password sign-in. */
interface SessionOver {
  expiresAt?: Date
  revokedAt?: Date
  /** A report-in-link session of this sign-in. */
  signInUid?: SignInUid
}

/** The accounts of other organisations that a password opens, too: those with the same email and password. */
const listSameElsewhere = async (db: TestDatabase['system']['db'], { accountUid }: Warden) =>
  (
    await db
      .selectFrom('account as a')
      .innerJoin('account as own', (join) =>
        join.onRef('own.email', '=', 'a.email').onRef('own.passwordHash', '=', 'a.passwordHash'),
      )
      .select('a.uid')
      .where('own.uid', '=', accountUid)
      .where('a.uid', '<>', accountUid)
      .execute()
  ).map(({ uid }) => uid)

async function buildTestApp(database: TestDatabase, over: Partial<Services>) {
  const metrics = createMetrics()
  const batches = openBatches(oneStatementOn(database.hot), metrics)
  const jobs = await openJobs(database.connection, { works: false, onTrouble: console.warn })
  const app = await buildApp({
    config: testConfig,
    clock: systemClock,
    secrets: deriveSecrets(secretKey),
    metrics,
    db: database.tenant.db,
    ...batches,
    findActor: (tokenHash) => findActor(batches.inBatch, tokenHash),
    findAdministrator: (tokenHash, use) => findAdministrator(database.hot.db, tokenHash, use),
    sharedRead: shareReads(),
    readInTurn: readTurns(),
    system: database.system.db,
    hot: database.hot.db,
    isDatabaseAway: () => false,
    isDatabaseAnswering: () => true,
    noteFailure: () => undefined,
    documents: folderStore(testConfig.dataDir),
    cells: undefined,
    jobs,
    noteContact: () => undefined,
    announce: () => undefined,
    refreshStatistics: () => undefined,
    isLeaving: () => false,
    ...over,
  })
  await app.ready()
  return { app, jobs }
}

/** Rows as they stand in the database. */
function rowsIn(db: TestDatabase['system']['db']) {
  /** The sign-in of the warden's assignment in the event. */
  const signInOf = (eventUid: EventUid, { assignmentUid }: Pick<Warden, 'assignmentUid'>) =>
    db
      .selectFrom('wardenSignIn')
      .selectAll()
      .where('eventUid', '=', eventUid)
      .where('assignmentUid', '=', assignmentUid)
      .executeTakeFirst()

  const evacueeOf = (eventUid: EventUid, personUid: PersonUid) =>
    db
      .selectFrom('evacuee')
      .selectAll()
      .where('eventUid', '=', eventUid)
      .where('personUid', '=', personUid)
      .executeTakeFirst()

  /** What the journal tells of a subject (an event, a sign-in, a person …), oldest first. */
  const journalOf = (subjectUid: string) =>
    db.selectFrom('journal').selectAll().where('subjectUid', '=', subjectUid).orderBy('position').execute()

  return { signInOf, evacueeOf, journalOf }
}

/** The real app over its own database, or over the given one, which it then closes. Requests are injected; nothing is faked. */
export async function startTestServer(over: Partial<Services> = {}, opened?: TestDatabase) {
  const database = opened ?? (await openTestDatabase())
  const db = database.fixtures.db
  const { app, jobs } = await buildTestApp(database, over)
  const given = createGiven(db)
  const callWith = (token: string | undefined) => callerOf(app, token)

  /** Signs the warden in without the password's cost; the session is as after a real sign-in. */
  async function as(warden: Warden, { signInUid, ...session }: SessionOver = {}) {
    const token = newToken(app.secrets.access)
    await db
      .insertInto('session')
      .values({
        tokenHash: sha256(token),
        accountUid: warden.accountUid,
        furtherAccountUids: signInUid ? [] : await listSameElsewhere(db, warden),
        clientUid: warden.clientUid,
        personUid: warden.personUid,
        assignmentUid: warden.assignmentUid,
        signInMethod: signInUid ? 'Mobile' : 'Email',
        isReportInToken: signInUid !== undefined,
        signInUid: signInUid ?? null,
        expiresAt: new Date(Date.now() + 3_600_000),
        ...session,
      })
      .execute()
    return Object.assign(callWith(token), { token })
  }

  /** A running event in the given buildings (Tower A unless said otherwise), started by a chief warden who stays on duty. */
  async function runningEvent(org: Organisation, over: Partial<CreateEventInput> = {}) {
    const chief = await given.warden(org, { role: 'Chief Warden', firstName: 'Chief' })
    const manager = await as(chief)
    const reply = await manager(createEvent, startInput(org, over))
    return { chief, manager, eventUid: reply.event?.id as EventUid, signInUid: reply.WardenSignInUID as SignInUid }
  }

  /** The warden signed in and reported in. */
  async function onDuty(warden: Warden) {
    const call = await as(warden)
    await call(reportIn, {})
    return call
  }

  return {
    app,
    hold: (table: string, uid: string, strength?: 'no key update') => holdRow(database, table, uid, strength),
    config: testConfig,
    database,
    db,
    given,
    as,
    onDuty,
    runningEvent,
    ...rowsIn(db),
    stranger: callWith(undefined),
    callWith,
    signIn: (email: string, password = testPassword) => callWith(undefined)(login, { body: { email, password } }),
    async [Symbol.asyncDispose]() {
      await app.close()
      await jobs.stop()
      await database[Symbol.asyncDispose]()
    },
  }
}
export type TestServer = Awaited<ReturnType<typeof startTestServer>>

function callerOf(app: FastifyInstance, token: string | undefined) {
  return createCaller(async ({ method, url, body, headers }) => {
    const response = await app.inject({
      method,
      url,
      headers: { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }), ...headers },
      ...(body !== undefined && { payload: body as object }),
    })
    return { status: response.statusCode, json: response.json() }
  })
}

/** Extras for a write that a phone would send. */
export const withKey = (key: string = randomUUID()): CallOptions => ({ headers: { 'idempotency-key': key } })

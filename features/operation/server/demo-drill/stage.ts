import { goNotAvailable, goOnDuty } from '#features/duty/server/go-on-duty.service.ts'
import { listCards } from '#features/duty/server/report-in.service.ts'
import {
  setFloorStatus as setFloorStatusCall,
  setPersonStatus,
  toggleRefusal as toggleRefusalCall,
} from '#features/evacuation/calls/evacuation.ts'
import { setFloorStatus } from '#features/evacuation/server/evacuation.service.ts'
import { recordPersonStatus, toggleRefusal } from '#features/evacuation/server/person-status.service.ts'
import { endOfSession, openSession } from '#features/sign-in/server/session.service.ts'
import type { EventUid, FloorStatusUid, FloorUid, PersonUid } from '#kernel/ids.ts'
import type { CallContract, CallInput } from '#kernel/route.ts'
import type { UnguardedWrite } from '#server/http/serve.ts'
import type { Services } from '#server/http/services.ts'
import { openBatches } from '#server/platform/db/batches.ts'
import type { OneStatement, Tx } from '#server/platform/db/db.ts'
import type { Device } from '#server/platform/device.ts'
import { newToken, sha256 } from '#server/platform/secrets.ts'
import { type Actor, onDuty } from '#server/wardens/actor.ts'
import { findActor } from '#server/wardens/live-session.ts'
import * as queries from './demo-drill.queries.ts'

/** One transaction in which wardens act through the statements of the product, and what they do is dated. */
export type Stage = Awaited<ReturnType<typeof openStage>>

export async function openStage(app: Services, tx: Tx, { clientUid, startAt }: queries.DemoClient) {
  const oneStatement: OneStatement = async (statement) => (await statement.execute(tx)).rows
  const { inBatch } = openBatches(oneStatement, app.metrics)
  const phones = { tx, inBatch, clock: app.clock }
  const tables = await queries.listTimesOfEvents(tx)
  const sessions: string[] = []
  const moment = (seconds: number) => new Date(startAt.getTime() + seconds * 1000)

  /** Signs the person of people.csv in, on their own phone. */
  async function signIn(code: string, device: Device) {
    const { accountUid } = await queries.getDemoPerson(tx, clientUid, code)
    const accountUids = [accountUid ?? '']
    const card = (await listCards(tx, accountUids)).find((one) => one.clientUid === clientUid)
    if (!card) throw new Error(`${code} has no assignment`)
    const token = newToken(app.secrets.access)
    const session = { accountUids, signInMethod: 'Email', isReportInToken: false, linkSignInUid: null, device } as const
    await openSession(tx, app.secrets.access, card, { ...session, expiresAt: endOfSession(app.clock) }, token)
    const warden = wardenOf(phones, sha256(token))
    sessions.push((await warden.actor()).sessionUid)
    return warden
  }

  return {
    app,
    tx,
    clientUid,
    moment,
    signIn,
    places: await queries.getPlaces(tx, clientUid),
    /** Dates what has just happened: so many seconds after the start. */
    dated: (eventUid: EventUid, seconds: number) => queries.dateRows(tx, tables, { eventUid, at: moment(seconds) }),
    /** Ends the sessions: they were opened before the start. */
    close: (seconds: number) => queries.dateSessions(tx, sessions, moment(seconds)),
  }
}

/** A warden's phone: each act is a request of the session whose token has this hash. */
function wardenOf({ tx, inBatch, clock }: { tx: Tx } & Pick<Services, 'inBatch' | 'clock'>, tokenHash: Buffer) {
  const actor = async (): Promise<Actor> => {
    const found = await findActor(inBatch, tokenHash)
    if (!found) throw new Error('the session is not live')
    return found
  }
  /** A request of the warden's phone, which saw it so many seconds ago. */
  const write = <C extends CallContract>(input: CallInput<C>, seenSecondsAgo: number | null): UnguardedWrite<C> => ({
    input,
    tokenHash,
    key: null,
    fingerprint: Buffer.alloc(0),
    guard: actor,
    seenSecondsAgo,
    seenByPhoneMs: null,
    readAs: (_, work) => work(tx),
  })
  const services = { inBatch, clock }
  return {
    actor,
    /** Handles reports of people. */
    handler: async () => ({ actor: onDuty(await actor()), tokenHash, fingerprint: Buffer.alloc(0) }),
    reportIn: async () => {
      const own = await actor()
      return goOnDuty(tx, own, own.signIn?.uid)
    },
    notAvailable: async () => {
      const own = await actor()
      return goNotAvailable(tx, own, own.signIn?.uid)
    },
    mark: (people: readonly PersonUid[], status: string, floorId: FloorUid, ago: number | null = 2) =>
      Promise.all(
        people.map((personId) => {
          const body = { personId, status, floorId }
          return recordPersonStatus(services, setPersonStatus, write<typeof setPersonStatus>({ body }, ago), body)
        }),
      ),
    refuse: (person: PersonUid, floorId: FloorUid) =>
      toggleRefusal(services, toggleRefusalCall, write<typeof toggleRefusalCall>({ body: { person, floorId } }, 3)),
    floor: (floorId: FloorUid, floorStatusId: FloorStatusUid, ago: number | null = 3) =>
      setFloorStatus(
        services,
        setFloorStatusCall,
        write<typeof setFloorStatusCall>({ body: { floorId, floorStatusId } }, ago),
      ),
  }
}

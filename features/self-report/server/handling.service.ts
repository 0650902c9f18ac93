import { recordStatusesIn } from '#features/evacuation/server/person-status.service.ts'
import type { PersonUid, SelfReportUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { SafetyStatus } from '#kernel/vocabulary.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Keyring } from '#server/platform/secrets.ts'
import { type DutyActor, journalActor } from '#server/wardens/actor.ts'
import type { acceptReports, dismissReports, handleReport } from '../calls.ts'
import { type ReportSays, reportLimits } from '../kinds.ts'
import { findProposed, listNaming, readOpen } from './match-person.queries.ts'
import * as queries from './reports.queries.ts'
import { choose, eventOf, findNetwork } from './reports.service.ts'

type Wanted = CallInput<typeof handleReport>['body']

/** Who handles reports, with the session that the record statement knows. */
export interface Handler {
  actor: DutyActor
  tokenHash: Buffer
  fingerprint: Buffer
}

const nobodyNamed = 'This report names no one who is unknown. Choose a person.'
const recordedSince = 'This person has been recorded in danger since. Look at their record first.'

/** Closes one report. Of two wardens the second reads what the first did. */
export async function handle(tx: Tx, by: Handler, uid: SelfReportUid, wanted: Wanted): Promise<null> {
  const of = eventOf(by.actor)
  const report = await queries.lockReport(tx, of, uid)
  if (!report) throw new Refusal('not_found')
  requireFitting(report.status, wanted)
  if (report.state !== 'open')
    throw new Refusal('invalid_transition', `${report.byName ?? 'Someone'} has handled this report.`)
  if (wanted.act !== 'accept') {
    const state = wanted.act === 'dismiss' ? 'dismissed' : wanted.act
    await close(tx, by, [{ uid, state, personUid: null, who: wanted.who?.trim() ?? null }])
    return null
  }
  if (wanted.person && !(await queries.isEvacuee(tx, of, wanted.person))) throw new Refusal('not_found')
  const personUid = wanted.person ?? (await findProposed(tx, of, uid))
  if (!personUid) throw new Refusal('invalid_transition', nobodyNamed)
  const { secondsAgo, status } = report
  const [recorded] = await recordAll(tx, by, status, [
    // a call for help says where to look; a "safe" of yesterday's floor would not
    { personUid, secondsAgo, floorUid: status === 'help' ? report.floorUid : null },
  ])
  if (!recorded) throw new Refusal('not_found')
  if (recorded.superseded) throw new Refusal('invalid_transition', recordedSince)
  await close(tx, by, [{ uid, state: 'accepted', personUid, who: null }])
  return null
}

/** 'Answered' and 'False alarm' are of a call for help, 'Dismiss' of any other. Words alone record no one. */
function requireFitting(says: ReportSays, { act, person, who }: Wanted): void {
  const fits = act === 'accept' ? says !== 'words' : (act === 'dismiss') === (says !== 'help')
  if (!fits) throw new Refusal('invalid_transition', 'This cannot be done with this report.')
  if (person !== undefined && act !== 'accept') throw unfit('body/person')
  if (who !== undefined && act !== 'answered') throw unfit('body/who')
}
const unfit = (field: string) => new Refusal('invalid_request', undefined, [field])

/**
 * 'Accept all'. It reads whom they name under the lock of all open reports, so that two wardens accept each once. Several
 * reports of one person are one record. Anyone who was recorded in danger meanwhile stays so, and their report stays open.
 */
export async function acceptAll(
  tx: Tx,
  by: Handler,
  keys: Keyring,
  { upTo, ...asked }: CallInput<typeof acceptReports>['body'],
): Promise<CallAnswer<typeof acceptReports>> {
  const of = eventOf(by.actor)
  if (!(await queries.isReport(tx, of, upTo))) throw new Refusal('not_found')
  if (asked.floor && !(await queries.isPlace(tx, of, asked.floor))) throw new Refusal('not_found')
  await queries.lockOpenSafe(tx, of)
  const choice = choose(keys, of, await readOpen(tx, of), asked)
  // another warden has handled all of them
  if (!choice) return { accepted: 0, left: 0 }
  const naming = await listNaming(tx, of, choice, { upTo, most: reportLimits.ofEvent })
  const taken = naming.slice(0, reportLimits.acceptAll)
  // the newest report of a person comes last
  const people = [...new Map(taken.map((one) => [one.personUid, one])).values()]
  const recorded = await recordAll(
    tx,
    by,
    'safe',
    people.map(({ personUid, secondsAgo }) => ({ personUid, secondsAgo, floorUid: null })),
  )
  const safe = new Set<string>(recorded.filter(({ superseded }) => !superseded).map(({ personUid }) => personUid))
  const accepted = taken.filter(({ personUid }) => safe.has(personUid))
  await close(
    tx,
    by,
    accepted.map(({ uid, personUid }) => ({ uid, state: 'accepted', personUid, who: null })),
  )
  return { accepted: accepted.length, left: naming.length - accepted.length }
}

/**
 * 'Dismiss all' of a network or a place: a flood ends. Calls for help become false alarms if the warden says so. What came
 * after the warden had read the list stays.
 */
export async function dismissAll(
  tx: Tx,
  by: Handler,
  keys: Keyring,
  { upTo, network, floor, calls, more }: CallInput<typeof dismissReports>['body'],
): Promise<CallAnswer<typeof dismissReports>> {
  const of = eventOf(by.actor)
  if (network === undefined && floor === undefined) throw unfit('body/network')
  if (upTo && !(await queries.isReport(tx, of, upTo))) throw new Refusal('not_found')
  if (floor && !(await queries.isPlace(tx, of, floor))) throw new Refusal('not_found')
  const group = network === undefined ? null : findNetwork(keys, of, await readOpen(tx, of), network)
  if (group === undefined) return { dismissed: 0, left: 0 }
  if (group && more) await queries.dismissMore(tx, of, group.site, more)
  if (!upTo) return { dismissed: 0, left: 0 }
  const choice = { only: group?.name ?? null, but: [], place: floor ?? null }
  const wanted = { upTo, withCalls: calls === 'false' }
  const all = await queries.lockOpen(tx, of, choice, { ...wanted, most: reportLimits.dismissAll })
  await close(
    tx,
    by,
    all.map(({ uid, status }) => ({
      uid,
      state: status === 'safe' ? 'dismissed' : 'false',
      personUid: null,
      who: null,
    })),
  )
  return { dismissed: all.length, left: await queries.countOpen(tx, of, choice, wanted) }
}

interface ToRecord {
  personUid: PersonUid
  secondsAgo: number
  floorUid: string | null
}

/** As the warden's record, seen when the report was made: a danger that was seen since stands. */
async function recordAll(
  tx: Tx,
  { actor, tokenHash, fingerprint }: Handler,
  says: ReportSays,
  all: readonly ToRecord[],
) {
  const status: SafetyStatus = says === 'safe' ? 'safe' : 'danger'
  const sent = all.map(({ personUid, secondsAgo, floorUid }) => ({
    tokenHash,
    module: 'Evacuee_Safety',
    key: null,
    fingerprint,
    evacueePersonUid: personUid,
    floorUid,
    status,
    onFloor: false,
    seenSecondsAgo: secondsAgo,
    seenByPhoneMs: null,
  }))
  return recordStatusesIn(tx, actor, sent)
}

async function close(tx: Tx, { actor }: Handler, all: readonly queries.Handled[]): Promise<void> {
  if (all.length === 0) return
  const { event, signIn } = actor
  await queries.handleRows(tx, eventOf(actor), signIn.uid, all)
  await record(
    tx,
    journalActor(actor),
    all.map(({ uid, state }) => ({
      action: 'self_report_handled' as const,
      subjectType: 'event' as const,
      subjectUid: event.uid,
      eventUid: event.uid,
      after: { report: uid, state },
    })),
  )
}

import { randomUUID } from 'node:crypto'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { sha256 } from '#server/platform/secrets.ts'
import { type DutyActor, journalActor } from '#server/wardens/actor.ts'
import type { openUnknownTexts } from '../../calls.ts'
import { reportLimits } from '../../kinds.ts'
import { emergencyNumber } from '../page/answers.ts'
import { eventOf } from '../reports.service.ts'
import { lockReports } from '../store-report.queries.ts'
import * as queries from './text-reports.queries.ts'

/** 'closed' and 'overflow' are of unknown numbers. */
export type TextKept = 'new' | 'joined' | 'closed' | 'overflow'

/** What a text is answered with where no status was set by it. */
export const textSeen = (country: string): string =>
  `Thank you. Wardens can see your text. If you are in danger, call ${emergencyNumber(country)}.`

/**
 * Keeps a text, or the key of a call, among the reports of a running event, one open entry a number. Of unknown numbers an event shows 200 that
 * call for help and 200 others. Call under the lock that the event's end takes.
 */
export async function keepTextReport(tx: Tx, report: queries.TextReport): Promise<TextKept> {
  const { clientUid, eventUid, way, says, mobile } = report
  await lockReports(tx, `texts/${eventUid}`)
  const isUnknown = report.name === null
  if (isUnknown && says !== 'help' && !(await queries.takesUnknown(tx, report))) return 'closed'
  const formKey = sha256(`text/${eventUid}/${mobile}`)
  const open = await queries.findOpenEntry(tx, clientUid, formKey)
  const isRaised = says === 'help' && open.says !== 'help'
  if (isUnknown && (isRaised || !open.uid) && (await isFull(tx, report))) {
    await queries.countMore(tx, report, mobile)
    return 'overflow'
  }
  const uid = open.uid ?? randomUUID()
  if (open.uid) await queries.joinEntry(tx, clientUid, uid, report)
  else await queries.insertTextReport(tx, uid, report, formKey, open.entries)
  await record(
    tx,
    { clientUid, personUid: null, signInUid: null },
    {
      action: 'self_report_made',
      subjectType: 'event',
      subjectUid: eventUid,
      eventUid,
      after: { report: uid, way, says },
    },
  )
  return open.uid ? 'joined' : 'new'
}

const isFull = async (tx: Tx, report: queries.TextReport) =>
  (await queries.countUnknown(tx, report, report.says)) >= reportLimits.unknownNumbers

/** 'Close texts from unknown numbers', or open them again. Calls for help are taken all the same. */
export async function openTexts(
  tx: Tx,
  actor: DutyActor,
  { open }: CallInput<typeof openUnknownTexts>['body'],
): Promise<CallAnswer<typeof openUnknownTexts>> {
  const isOpen = open === 'yes'
  if (await queries.setUnknownTexts(tx, eventOf(actor), isOpen))
    await record(tx, journalActor(actor), {
      action: 'report_page_changed',
      subjectType: 'event',
      subjectUid: actor.event.uid,
      eventUid: actor.event.uid,
      after: { texts: isOpen },
    })
  return { open: isOpen }
}

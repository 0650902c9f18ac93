import type { EventUid, PersonUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Reader } from '#server/http/warden-or-administrator.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { listActions, NewAddition, RecordAction } from '../../calls/additions.ts'
import { isoDayAt } from '../../times.ts'
import { listReached, type Reach, reachOf } from '../record-access.service.ts'
import * as queries from './actions.queries.ts'

export const viewerOf = async (
  tx: Tx,
  { personUid }: Pick<Reader, 'personUid'>,
  reach: Reach,
): Promise<queries.Viewer> => ({
  reach,
  personUid,
  places: await listReached(tx, reach),
})

/** A new action is still to be done: its day is today at the site, or later. */
export function requireDue(due: string, timezone: string, now: Date): void {
  if (due < isoDayAt(now.getTime(), timezone))
    throw new Refusal('invalid_request', 'Choose today or a later day.', ['body/body/due'])
}

const follows: Record<RecordAction['state'], readonly string[]> = {
  open: ['done'],
  reopened: ['done'],
  done: ['verified', 'reopened'],
  verified: ['reopened'],
}

export type Step = Extract<NewAddition, { kind: 'action_step' }>['body']

/** A step follows the last one, and who said that it is done does not verify it. */
export async function requireStep(tx: Tx, viewer: queries.Viewer, eventUid: EventUid, { target, base, step }: Step) {
  const action = await queries.findAction(tx, viewer, eventUid, target)
  if (!action) throw new Refusal('not_found')
  if (action.baseUid !== base) throw new Refusal('record_changed')
  if (!follows[action.state].includes(step)) throw new Refusal('invalid_transition', `This action is ${action.state}.`)
  if (step === 'verified' && action.byPersonUid === viewer.personUid)
    throw new Refusal('invalid_transition', 'Someone other than the person who did it must verify it.')
}

export async function presentActions(
  tx: Tx,
  reader: Reader,
  { mine, ...filter }: CallInput<typeof listActions>['query'],
): Promise<CallAnswer<typeof listActions>> {
  const reach = await reachOf(tx, reader)
  const ownerUid = mine ? reader.personUid : undefined
  const viewer = await viewerOf(tx, reader, reach)
  const rows = await queries.listActionRows(tx, viewer, { ...filter, ownerUid })
  const shown = rows.slice(0, 20)
  return {
    actions: shown.map((row) => presentAction(row, reader.personUid)),
    ...(await queries.countActions(tx, viewer)),
    next: rows.length > shown.length ? (shown.at(-1)?.uid ?? null) : null,
  }
}

function presentAction(row: queries.ActionRow, personUid: PersonUid): RecordAction {
  const { body } = row
  return {
    ...body,
    uid: row.uid,
    event: row.eventUid,
    number: row.number,
    no: row.no,
    site: row.siteName,
    timezone: row.timezone,
    state: row.state,
    base: row.baseUid,
    done_by_me: row.state === 'done' && row.stepByPersonUid === personUid,
    mine: body.owner.person === personUid,
    due_in: row.dueIn,
  }
}

import { recordBeside } from '#features/log/server/people/record-beside.service.ts'
import type { EventUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import { type Actor, hasFlag, journalActor } from '#server/wardens/actor.ts'
import type { holdRecord } from '../../calls/hold.ts'
import { authorOf, keepAddition } from '../additions.service.ts'
import { reachOf, requireRecord } from '../record-access.service.ts'
import * as queries from './hold.queries.ts'

/**
 * A hold keeps everything of an event from the retention until it is lifted. The reason is an addition. Held or
 * lifted twice, it happens once.
 */
export async function hold(
  tx: Tx,
  actor: Actor,
  eventUid: EventUid,
  { hold, reason }: CallInput<typeof holdRecord>['body'],
): Promise<CallAnswer<typeof holdRecord>> {
  const { isWhole } = await requireRecord(tx, await reachOf(tx, actor), eventUid)
  if (!isWhole) throw new Refusal('not_found')
  if (!hasFlag(actor, 'Module_Event_Management')) throw new Refusal('forbidden')
  const why = reason.trim()
  if (why.length < 5) throw new Refusal('invalid_request', 'Give a reason of at least 5 characters.', ['body/reason'])
  await queries.lockEvent(tx, actor.clientUid, eventUid)
  if (!(await queries.setHeld(tx, actor.clientUid, eventUid, hold))) return { hold }
  await keepAddition(tx, authorOf(actor), eventUid, { kind: 'hold', body: { hold, reason: why } })
  await recordBeside(tx, journalActor(actor), [
    { action: 'record_held', subjectType: 'event', subjectUid: eventUid, eventUid, after: { hold } },
  ])
  return { hold }
}

import { listReceivers } from '#features/messaging/server/send.queries.ts'
import { divide, holdEvent, isOther, textReached } from '#features/messaging/server/sending.service.ts'
import { segmentsInEvent } from '#features/texts/server/message-texts.service.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { DutyActor } from '#server/wardens/actor.ts'
import type { askUnknown, countAsked } from '../calls.ts'
import { eventOf, placesIn } from './account-list.service.ts'
import { findQuestion, listAskedLately, lockQuestions } from './ask.queries.ts'
import { listCaused } from './causes.queries.ts'

type Audience = CallInput<typeof countAsked>['body']

/** Whom the question would reach now. */
export async function countQuestion(
  { config }: Pick<Services, 'config'>,
  tx: Tx,
  actor: DutyActor,
  wanted: Audience,
): Promise<CallAnswer<typeof countAsked>> {
  if (!actor.smsAllowed) throw new Refusal('sms_not_allowed')
  const { reached, refused, without, askedLately } = await audienceOf(tx, actor, wanted)
  const text = await findQuestion(tx, actor.clientUid)
  return {
    text,
    count: reached.length,
    segments: reached.length * (await segmentsInEvent(tx, config, { eventUid: actor.event.uid, text })),
    asked_lately: askedLately,
    without_mobile: without,
    sms_refused: refused.length,
  }
}

/** Counts again under a lock, so that two managers who ask at once ask no one twice. */
export async function askQuestion(
  app: Services,
  tx: Tx,
  actor: DutyActor,
  { count, ...wanted }: CallInput<typeof askUnknown>['body'],
): Promise<CallAnswer<typeof askUnknown>> {
  if (!actor.smsAllowed) throw new Refusal('sms_not_allowed')
  if (!(await holdEvent(tx, actor))) throw new Refusal('no_event')
  await lockQuestions(tx, eventOf(actor))
  const { reached, refused } = await audienceOf(tx, actor, wanted)
  if (isOther(reached.length, count)) throw new Refusal('changed_since')
  const text = await findQuestion(tx, actor.clientUid)
  return textReached(app, tx, actor, { text, automatedResponse: true }, { reached, refused })
}

async function audienceOf(tx: Tx, actor: DutyActor, { floors, causes }: Audience) {
  const of = eventOf(actor)
  const placeUids = floors.length > 0 ? await placesIn(tx, actor, floors) : null
  const unknown = (await listCaused(tx, { ...of, causes, placeUids })).map(({ uid }) => uid)
  const lately = new Set(await listAskedLately(tx, of))
  const wanted = unknown.filter((uid) => !lately.has(uid))
  const receivers = await listReceivers(tx, of.clientUid, wanted)
  const { reached, refused } = divide(receivers)
  const without = receivers.length - reached.length - refused.length
  return { reached, refused, without, askedLately: unknown.length - wanted.length }
}

import { listReceivers } from '#features/messaging/server/send.queries.ts'
import { divide, holdEvent, isOther, textReached } from '#features/messaging/server/sending.service.ts'
import { segmentsInEvent } from '#features/texts/server/message-texts.service.ts'
import { stayTexts } from '#kernel/action-words.ts'
import type { EvacueeUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { DutyActor } from '#server/wardens/actor.ts'
import type { askUnknown, countAsked } from '../calls.ts'
import { eventOf, placesIn } from './account-list.service.ts'
import { findQuestion, listAskedLately, listByGroup, lockQuestions } from './ask.queries.ts'
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
  const questions = await questionsTo(tx, actor, { reached, refused })
  let segments = 0
  for (const { text, to } of questions)
    segments += to.reached.length * (await segmentsInEvent(tx, config, { eventUid: actor.event.uid, text }))
  return {
    text: questions.map(({ text }) => text).join('\n'),
    count: reached.length,
    segments,
    asked_lately: askedLately,
    without_mobile: without,
    sms_refused: refused.length,
    ...(questions.some(({ group }) => group === 'quiet') && { quiet: true as const }),
  }
}

/** Counts again under a lock, so that two managers who ask at once ask no one twice. */
export async function askQuestion(
  app: Services,
  tx: Tx,
  actor: DutyActor,
  { count, sounds, ...wanted }: CallInput<typeof askUnknown>['body'],
): Promise<CallAnswer<typeof askUnknown>> {
  if (!actor.smsAllowed) throw new Refusal('sms_not_allowed')
  if (!(await holdEvent(tx, actor))) throw new Refusal('no_event')
  await lockQuestions(tx, eventOf(actor))
  const { reached, refused } = await audienceOf(tx, actor, wanted)
  if (isOther(reached.length, count)) throw new Refusal('changed_since')
  const questions = await questionsTo(tx, actor, { reached, refused })
  if (questions.some(({ group }) => group === 'quiet') && sounds !== 'yes')
    throw new Refusal('quiet_building', 'These phones may make a sound.')
  const sent: string[] = []
  for (const { text, to } of questions)
    sent.push((await textReached(app, tx, actor, { text, automatedResponse: true }, to)).message)
  return { status: 'message_sent', message: sent.join(' ') }
}

type Reached = ReturnType<typeof divide>

/** Who is asked what: where no one leaves it is always one question. At least one, also to no one. */
async function questionsTo(tx: Tx, actor: DutyActor, { reached, refused }: Reached) {
  const all = [...reached, ...refused].map(({ evacueeUid }) => evacueeUid as EvacueeUid)
  const groups = await listByGroup(tx, eventOf(actor), all)
  if (groups.size === 0)
    return [{ group: 'leave' as const, text: await findQuestion(tx, actor.clientUid), to: { reached, refused } }]
  return Promise.all(
    [...groups].map(async ([group, uids]) => {
      const isIn = ({ evacueeUid }: Reached['reached'][number]) => uids.has(evacueeUid as EvacueeUid)
      const text = group === 'leave' ? await findQuestion(tx, actor.clientUid) : stayTexts[group].question
      return { group, text, to: { reached: reached.filter(isIn), refused: refused.filter(isIn) } }
    }),
  )
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

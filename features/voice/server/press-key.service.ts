import { noteUnderstood } from '#features/command/server/instruction.service.ts'
import { answerOffer } from '#features/coverage/server/floor-offers.service.ts'
import { goNotAvailable } from '#features/duty/server/go-on-duty.service.ts'
import { recordAnswer } from '#features/evacuation/server/answered-status.queries.ts'
import { holdSite, isRunning } from '#features/messaging/server/send.queries.ts'
import { keysOf } from '#features/reach/kinds.ts'
import { keepTextReport } from '#features/self-report/server/texts/text-reports.service.ts'
import type { FloorOfferUid, InstructionUid } from '#kernel/ids.ts'
import type { Services } from '#server/http/services.ts'
import { inClients, type Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Acting } from '#server/wardens/actor.ts'
import type { CallKey } from './calling.queries.ts'
import { type AnsweredCall, answerReach, findAsked, findCall, setKey } from './press-key.queries.ts'

/** A key of the call, now or before; another key, with the words to say again; or no such call. */
export type Pressed = { is: 'taken' } | { is: 'another'; say: string } | { is: 'unknown' }

/**
 * Takes a key that was pressed in a call. The first one that answers counts, however often it is reported. It is own word only
 * where the number is that of the person alone.
 */
export async function pressKey(
  { system, announce }: Pick<Services, 'system' | 'announce'>,
  key: CallKey,
  digit: string,
): Promise<Pressed> {
  const pressed = await inClients(system, [key.clientUid], async (tx): Promise<Pressed> => {
    const found = await findCall(tx, key)
    if (!found) return { is: 'unknown' }
    if (digit === '' || !keysOf[found.class].includes(digit)) return { is: 'another', say: found.say }
    await holdSite(tx, found.eventUid)
    if (!(await setKey(tx, key, digit))) return { is: 'taken' }
    // what has changed while it waited
    const call = (await findCall(tx, key)) ?? found
    if ((await isRunning(tx, call.eventUid)) && call.state !== 'over') await apply(tx, call, digit)
    return { is: 'taken' }
  })
  announce()
  return pressed
}

async function apply(tx: Tx, call: AnsweredCall, digit: string): Promise<void> {
  const { clientUid, personUid, signInUid, eventUid, isOwn } = call
  const by = isOwn ? { clientUid, personUid, signInUid } : { clientUid, personUid: null, signInUid: null }
  await record(tx, by, {
    action: 'call_keyed',
    subjectType: signInUid ? 'sign_in' : 'evacuee',
    subjectUid: signInUid ?? personUid,
    eventUid,
    after: { reach_uid: call.reachUid, about: call.class, key: digit, way: call.way },
  })
  if (isOwn) await own[call.class](tx, call, digit)
  else if (digit === '2' && call.class === 'ask') await callForHelp(tx, call)
  // anyone may have answered a number of several: that a warden does not come stays open
  if (isOwn || digit === '1' || call.class === 'ask') await answerReach(tx, call)
}

const nothing = async () => undefined

/** What a key sets that the person pressed on their own number. */
const own: Record<AnsweredCall['class'], (tx: Tx, call: AnsweredCall, digit: string) => Promise<unknown>> = {
  report_in: async (tx, call, digit) =>
    digit === '2' && goNotAvailable(tx, actingOf(call), call.signInUid ?? undefined),
  instruction: (tx, call) => unlessRefused(noteUnderstood(tx, actingOf(call), call.about as InstructionUid)),
  // the entry is itself a sign of life
  command: nothing,
  offer: (tx, call, digit) =>
    unlessRefused(answerOffer(tx, actingOf(call), call.about as FloorOfferUid, digit === '1' ? 'yes' : 'no')),
  message: nothing,
  ask: answerQuestion,
}

const actingOf = ({ clientUid, personUid, signInUid, eventUid }: AnsweredCall): Acting => ({
  clientUid,
  personUid,
  event: { uid: eventUid },
  signIn: { uid: signInUid as NonNullable<typeof signInUid> },
  sessionUid: null,
})

/** No one is left on the phone to read why. The screens show what stands. */
async function unlessRefused(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

async function answerQuestion(tx: Tx, call: AnsweredCall, digit: string): Promise<void> {
  const asked = await findAsked(tx, call)
  if (!asked) return
  const { evacueeUid, messageId, askedAt, isOfNow } = asked
  const status = digit === '1' ? 'safe' : 'danger'
  if (isOfNow)
    await recordAnswer(tx, { clientUid: call.clientUid, evacueeUid, status, messageId, askedAt, byCall: true })
  else if (status === 'danger') await callForHelp(tx, call)
}

/** Where a key sets no status, it is a call for help that names the person. */
async function callForHelp(tx: Tx, call: AnsweredCall): Promise<void> {
  const asked = await findAsked(tx, call)
  await keepTextReport(tx, {
    clientUid: call.clientUid,
    eventUid: call.eventUid,
    way: 'call',
    says: 'help',
    unsure: false,
    elsewhere: false,
    words: 'Pressed 2 in a call: needs help.',
    mobile: call.toMobile,
    name: call.name,
    evacueeUid: asked?.evacueeUid ?? null,
  })
}

import type { PlaceUid } from '#features/evacuation/server/tally.service.ts'
import type { Read } from '#server/http/serve.ts'
import { Refusal } from '#server/platform/errors.ts'
import { type Actor, absence, hasFlag, onDuty } from '#server/wardens/actor.ts'
import type { Boards } from './boards.ts'
import { presentPanel } from './panel.service.ts'

/** Null and its reason, in the words of the building safety page, for who is not in an event. */
const noBoard = (actor: Actor) => {
  const reason = absence(actor)
  return reason && { status: 'error' as const, message: new Refusal(reason).message }
}

const boardOf = (actor: Actor) => ({ clientUid: actor.clientUid, eventUid: onDuty(actor).event.uid })

/** `since` is the newest offset that the reader has heard. */
export async function readBoard(boards: Boards, actor: Actor, since: string | undefined) {
  return noBoard(actor) ?? (await boards.read(boardOf(actor), since === undefined ? undefined : BigInt(since))).ready
}

export async function readPanel(boards: Boards, actor: Actor, placeUid: PlaceUid, read: Read) {
  const of = boardOf(actor)
  const slow = await boards.slowPart(of)
  const named = hasFlag(actor, 'Module_Evacuee_Safety')
  return read((tx) => presentPanel(tx, of, placeUid, { slow, named }))
}

export async function readPlaces(boards: Boards, actor: Actor) {
  return noBoard(actor) ?? (await boards.read(boardOf(actor))).readyPlaces
}

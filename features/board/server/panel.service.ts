import { hazardsAt } from '#features/arrival-pack/server/hazards.service.ts'
import type { PlaceUid } from '#features/evacuation/server/tally.queries.ts'
import { listCallsOfPlace } from '#features/self-report/server/calls-for-help.queries.ts'
import { withTotal } from '#kernel/vocabulary.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { BoardPanel } from '../calls/board-panel.ts'
import type { BoardOf, SlowPart } from './board.queries.ts'
import { findPanel, findPanelWithoutFloor, listPanelWardens, type PanelRow } from './panel.queries.ts'
import { splitByCause } from './present-board.ts'

/** Calls for help that a panel lists. */
const mostCalls = 20

/** Plans and causes are those of the board. `named`: the reader sees what occupants say of themselves. */
export async function presentPanel(
  tx: Tx,
  of: BoardOf,
  placeUid: PlaceUid,
  { slow, named }: { slow: SlowPart; named: boolean },
): Promise<BoardPanel> {
  const floor = await findPanel(tx, of, placeUid)
  const row = floor ?? (await findPanelWithoutFloor(tx, of, placeUid))
  if (!row) throw new Refusal('not_found')
  const calls = await listCallsOfPlace(tx, of, placeUid, mostCalls)
  const place = slow.places.get(placeUid)
  return {
    at: row.at.toISOString(),
    floor: { id: placeUid, name: row.name, building: row.building },
    people: withTotal(row),
    ...{
      refused: row.refused,
      plans: place?.plans ?? 0,
      unknown_by_cause: splitByCause(row.unknown, place?.causes ?? {}),
    },
    calls: calls.map(({ uid, at, saidName, words, inDrill }) => ({
      ...(inDrill && { in_drill: true as const }),
      uid,
      at: at.toISOString(),
      name: named ? saidName : null,
      words: named ? words : null,
    })),
    hazards: await hazardsAt(tx, of, { buildingUid: row.building.id, floorUid: floor ? placeUid : null }),
    ...(floor ? await presentFloor(tx, of, floor) : nobodysFloor),
  }
}

type OfFloor = Pick<BoardPanel, 'status' | 'wardens' | 'gap_at' | 'claim' | 'offer'>
const nobodysFloor: OfFloor = { status: null, wardens: [], gap_at: null, claim: null, offer: null }

const presentFloor = async (tx: Tx, of: BoardOf, row: PanelRow): Promise<OfFloor> => ({
  status: { ...row.status, set: presentSet(row) },
  wardens: (await listPanelWardens(tx, of, row.coveredAs)).map(({ signIn, onDutyAt, isClaimant, ...warden }) => ({
    ...warden,
    sign_in: signIn,
    on_duty_at: onDutyAt.toISOString(),
    is_claimant: isClaimant,
  })),
  gap_at: row.gapAt?.toISOString() ?? null,
  claim: row.claimBy && row.claimedAt ? { by: row.claimBy, at: row.claimedAt.toISOString() } : null,
  offer: row.offeredTo && row.offeredAt ? { to: row.offeredTo, at: row.offeredAt.toISOString() } : null,
})

type SetStatus = NonNullable<BoardPanel['status']>['set']

const presentSet = ({ setAt, setBy, setByRole, source }: PanelRow): SetStatus =>
  setBy === null ? null : { at: setAt.toISOString(), by: setBy, role: setByRole, ...(source && { source }) }

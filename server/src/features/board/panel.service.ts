import type { BoardPanel } from '@evac/contract/calls/board.ts'
import type { FloorUid } from '@evac/contract/ids.ts'
import { withTotal } from '@evac/contract/vocabulary.ts'
import type { Tx } from '../../platform/db/db.ts'
import { Refusal } from '../../platform/errors.ts'
import type { BoardOf } from './board-of.ts'
import { findPanel, listPanelWardens, type PanelRow } from './panel.queries.ts'
import type { SlowPart } from './slow.service.ts'
import { splitByCause } from './splits.ts'

/** BOARD-15. Plans and causes are those of the board. */
export async function presentPanel(tx: Tx, of: BoardOf, floorUid: FloorUid, slow: SlowPart): Promise<BoardPanel> {
  const row = await findPanel(tx, of, floorUid)
  if (!row) throw new Refusal('not_found')
  const place = slow.places.get(floorUid)
  return {
    at: row.at.toISOString(),
    floor: { id: floorUid, name: row.name, building: row.building },
    status: { ...row.status, set: presentSet(row) },
    people: withTotal(row),
    ...{
      refused: row.refused,
      plans: place?.plans ?? 0,
      unknown_by_cause: splitByCause(row.unknown, place?.causes ?? {}),
    },
    wardens: (await listPanelWardens(tx, of, floorUid)).map(({ signIn, onDutyAt, isClaimant, ...warden }) => ({
      ...{ ...warden, sign_in: signIn, on_duty_at: onDutyAt.toISOString(), is_claimant: isClaimant },
    })),
    gap_at: row.gapAt?.toISOString() ?? null,
    claim: row.claimBy && row.claimedAt ? { by: row.claimBy, at: row.claimedAt.toISOString() } : null,
    offer: row.offeredTo && row.offeredAt ? { to: row.offeredTo, at: row.offeredAt.toISOString() } : null,
  }
}

const presentSet = ({ setAt, setBy, setByRole, source }: PanelRow): BoardPanel['status']['set'] =>
  setBy === null ? null : { at: setAt.toISOString(), by: setBy, role: setByRole, ...(source && { source }) }

import type { SafetyStatus, StatusCounts } from '#kernel/vocabulary.ts'
import { statusLook } from '#web/evacuees/status-look.ts'
import type { FloorStatus } from '../calls/evacuation.ts'
import type { FloorFilter } from './floor-evacuation.data.ts'

export type Unresolved = Pick<StatusCounts, 'unknown' | 'danger'>

/** The worst status of someone on a floor that counts as clear. Null if the floor status is honest. */
export function worstLeft(status: FloorStatus | undefined, counts: Unresolved | undefined): SafetyStatus | null {
  if (!counts || !status?.means_clear) return null
  if (counts.danger > 0) return 'danger'
  return counts.unknown > 0 ? 'unknown' : null
}

/** 'Evacuated, 1 in danger, 3 unknown', or the name alone if the floor status is honest. */
export function honestName(status: FloorStatus | undefined, counts: Unresolved | undefined): string {
  const name = status?.name ?? ''
  if (!counts || !worstLeft(status, counts)) return name
  return [
    name,
    ...[counts.danger > 0 && `${counts.danger} in danger`, counts.unknown > 0 && `${counts.unknown} unknown`].filter(
      Boolean,
    ),
  ].join(', ')
}

/** Shows the people whom those words count, and only them. */
export function leftFilter({ unknown, danger }: Unresolved): FloorFilter {
  if (unknown > 0 && danger > 0) return 'unresolved'
  return danger > 0 ? 'danger' : 'unknown'
}

/** Beside the name of a floor status that is not honest. */
export function UnresolvedMark({ worst }: { worst: SafetyStatus }) {
  const { icon: Icon, ink } = statusLook[worst]
  return <Icon aria-hidden size={20} className={`shrink-0 ${ink}`} />
}

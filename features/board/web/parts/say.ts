import { type Doing, type Say, sayOf } from '#kernel/action-words.ts'
import { groupOf } from '#kernel/actions.ts'
import type { BoardBuilding } from '../../calls/board.ts'
import type { Picture } from '../reading/board-snapshot.ts'

const doingOf = ({ action = 'evacuate', action_before }: BoardBuilding): Doing => ({ action, before: action_before })

/** How the board speaks of one building. */
export const sayOfBuilding = (building: BoardBuilding | undefined): Say => sayOf(building ? [doingOf(building)] : [])

/** How it speaks of all of them. */
export const sayOfAll = ({ board }: Picture): Say => sayOf(board.buildings.map(doingOf))

export const isQuietBuilding = (building: BoardBuilding | undefined): boolean =>
  groupOf(building?.action ?? 'evacuate', building?.action_before ?? null) === 'quiet'

/** Someone hides in one of the buildings: no screen makes a sound. */
export const isQuietBoard = ({ board }: Picture): boolean => board.buildings.some(isQuietBuilding)

/** Closed lists of words of the command board for both sides. This file has no schema, because the browser imports it. */

/** Who set a floor's status, if not its own warden: another warden, or an event manager. */
export const boardSources = ['b', 'm'] as const

export type BoardSource = (typeof boardSources)[number]

/** In the order of the rule: the first that holds. 'not_asked' is what the others leave. */
export const unknownCauses = ['unclear', 'text_failed', 'asked', 'seen_before', 'not_asked'] as const

export type UnknownCause = (typeof unknownCauses)[number]

export const floorContradictions = ['cleared_danger', 'cleared_plan', 'cleared_refusal', 'cleared_seen'] as const

export const contradictionKinds = [...floorContradictions, 'own_safe', 'own_lifted', 'late_safe', 'two_places'] as const

export type ContradictionKind = (typeof contradictionKinds)[number]

/** Where a wall screen stands. */
export const wallPlaces = ['team', 'public'] as const

export type WallPlace = (typeof wallPlaces)[number]

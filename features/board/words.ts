/** Closed lists of words of the command board for both sides. This file has no schema, because the browser imports it. */

/** Who set a floor's status, if not its own warden: another warden, or an event manager. */
export const boardSources = ['b', 'm'] as const
export type BoardSource = (typeof boardSources)[number]

/** In the order of the rule: the first that holds. 'not_asked' is what the others leave. */
export const unknownCauses = ['unclear', 'text_failed', 'asked', 'seen_before', 'not_asked'] as const
export type UnknownCause = (typeof unknownCauses)[number]
export const causeWords: Record<UnknownCause, string> = {
  unclear: 'answer unclear',
  text_failed: 'text failed',
  asked: 'asked, no answer',
  seen_before: 'seen before',
  not_asked: 'not asked',
}

/** Contradictions of a floor. */
export const floorContradictions = ['cleared_danger', 'cleared_plan', 'cleared_refusal', 'cleared_seen'] as const
/** Contradictions of a person. */
export const personContradictions = ['own_safe', 'own_lifted', 'late_safe', 'two_places'] as const
export const contradictionKinds = [...floorContradictions, ...personContradictions] as const
export type ContradictionKind = (typeof contradictionKinds)[number]

/** Where a wall screen stands. */
export const wallPlaces = ['team', 'public'] as const
export type WallPlace = (typeof wallPlaces)[number]

/** Sentences of refusals that only the board's users meet. Apart, because the wardens' first load does without. */
export const boardRefusals = { too_many_links: 'End a link first.' } as const

import type { ContradictionKind } from '#features/board/words.ts'

/** Closed lists and limits of accounting for people. This file has no schema, because the browser imports it. */

/** The tabs of the page, each with its list. */
export const accountLists = ['unknown', 'danger', 'peeps'] as const
export type AccountList = (typeof accountLists)[number]

/** How good a state is. */
export const grades = ['seen', 'told', 'own', 'none'] as const
export type Grade = (typeof grades)[number]

/** By which own word: 'Own text', 'Own page'. */
export const ownWays = ['text', 'page'] as const
export type OwnWay = (typeof ownWays)[number]

/** What a record of a contradiction said. */
export const saidWords = ['cleared', 'safe', 'unknown', 'danger', 'refused'] as const
export type Said = (typeof saidWords)[number]

/** Characters of the reason why a contradiction is kept. */
export const keepReason = { least: 3, most: 200 } as const

/** What is asked without a template. */
export const plainQuestion = 'Are you safe? Reply 1 if you are safe, 2 if you need help.'
/** Minutes in which a person is asked once at most. */
export const askedOnceIn = 3

/** What stands against each other. */
export const contradictionWords: Record<ContradictionKind, string> = {
  cleared_danger: 'Cleared, with someone in danger',
  cleared_plan: 'Cleared, with a PEEP unknown',
  cleared_refusal: 'Cleared, with someone who refuses',
  cleared_seen: 'Cleared, but someone recorded since',
  own_safe: 'Says safe, recorded in danger',
  own_lifted: 'Self-report lifted a danger',
  late_safe: 'Late "safe" after a danger',
  two_places: 'Safe and in danger on two floors',
}

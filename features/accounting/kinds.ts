/** Closed lists and limits of accounting for people. This file has no schema, because the browser imports it. */

/** The tabs of the page, each with its list. */
export const accountLists = ['unknown', 'danger', 'peeps'] as const

export type AccountList = (typeof accountLists)[number]

/** How good a state is. */
export const grades = ['seen', 'told', 'own', 'none'] as const

export type Grade = (typeof grades)[number]

/** By which own word: 'Own text', 'Own page', 'Own call'. */
export const ownWays = ['text', 'page', 'call'] as const

export type OwnWay = (typeof ownWays)[number]

/** What a record of a contradiction said. */
export const saidWords = ['cleared', 'safe', 'unknown', 'danger', 'refused'] as const

export type Said = (typeof saidWords)[number]

/** Characters of the reason why a contradiction is kept. */
export const keepReason = { least: 3, most: 200 } as const

/** Minutes in which a person is asked once at most. */
export const askedOnceIn = 3

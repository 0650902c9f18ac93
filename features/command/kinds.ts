/** Words of command and instructions for both sides. This file has no schema, because the browser imports it. */

import { type Action, actionCodes } from '#kernel/actions.ts'

/** Characters of a note that goes with the command. */
export const commandNoteLength = 500

/** How long someone has to take over, ms. */
export const handOverMs = 120_000

/** After so long the whole chain is asked to take command, ms. */
export const wholeChainMs = 120_000

/** Minutes without contact after which the person in command is silent. */
export const commandMinutes = { usual: 5, least: 2, most: 60 } as const

/** Places of a role in the chain of command. */
export const commandOrder = { least: 1, most: 99 } as const

/** How a turn of command began. */
export const turnBeginnings = ['start', 'handed_over', 'taken', 'silent'] as const

export type TurnBeginning = (typeof turnBeginnings)[number]

/** What event managers send. */
export const chosenKinds = ['evacuate', 'stay', 'prepare', 'all_clear', 're_entry', 'recheck'] as const

/** Those, and what a change of the action sends. */
export const instructionKinds = [...chosenKinds, ...actionCodes.filter((action) => action !== 'evacuate')] as const

/** What sends people through a building: never where people hide. There the action is changed instead. */
export const movingKinds: readonly string[] = ['evacuate', 'recheck'] satisfies ChosenKind[]

export type ChosenKind = (typeof chosenKinds)[number]
export type InstructionKind = ChosenKind | Action

/** An instruction that is not understood after so long is overdue and is texted, ms. */
export const understandMs = 60_000

/** Instructions of so long ago are named before another one is sent, ms. */
export const recentlySentMs = 120_000

/** Floors that one instruction can name. All floors need no list. */
export const mostFloors = 2000

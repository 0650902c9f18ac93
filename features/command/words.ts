import type { ChosenKind } from './kinds.ts'

export const instructionWord: Record<ChosenKind, string> = {
  evacuate: 'Evacuate',
  stay: 'Stay',
  prepare: 'Prepare',
  all_clear: 'All clear',
  re_entry: 'Go back in',
  recheck: 'Check again',
}

/** The sentence with which each kind begins. */
export const instructionPreset: Record<ChosenKind, string> = {
  evacuate: 'Evacuate your floor now. Check every room. Report when it is clear.',
  stay: 'Stay where you are. Keep doors closed. Wait for the next instruction.',
  prepare: 'Prepare to leave. Gather people at the stairs, those who need help first.',
  all_clear: 'The danger is over. Do not go back in yet.',
  re_entry: 'You may go back in. Let people in floor by floor.',
  recheck: 'Check your floor again: someone may still be there.',
}

/** The server names who. */
export const commandRefusals = { command_changed: 'Someone else has just taken command.' } as const

/** Why an instruction does not go where people hide. */
export const quietSentences = {
  evacuate: 'People hide there. Change the action before you tell them to leave.',
} as const

/**
 * Sentences of refusals whose own message names someone: callers show that message. Apart, because the wardens' first
 * load does without them.
 */
export const coverageRefusals = {
  floor_taken: 'Another warden has just taken it. Thank you.',
  floor_covered: 'A warden is there. Thank you.',
  already_offered: 'Another warden was asked a moment ago.',
} as const

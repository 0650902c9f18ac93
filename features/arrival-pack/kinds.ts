/** Limits of hazards and arrival packs for both sides. This file has no schema, because the browser imports it. */

/** Characters of a hazard. */
export const hazardLength = 120

/** Hours that a pack lives, at most and if no one says. */
export const longestPackHours = 12

export const packHours = 4

/** Limits of hazards and arrival packs for both sides. This file has no schema, because the browser imports it. */

/** Characters of a hazard. */
export const hazardLength = 120

/**
 * Who opened a pack: a reader with an address of their own, all who read without a name because the pack has its readers, or
 * the phone that prints it.
 */
export const readerKinds = ['own', 'others', 'printed'] as const
export type ReaderKind = (typeof readerKinds)[number]

/** What the form of the phone that prints gives as its name. */
export const printing = 'Printed'

/** Readers with a name and an address of their own. */
export const packLimits = {
  /** Of one home, six times that of an IPv4 address: a building may share it. */
  readersOfHome: 10,
  readersOfPack: 100,
} as const

/** Hours that a pack lives, at most and if no one says. */
export const longestPackHours = 12

export const packHours = 4

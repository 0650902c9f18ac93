import type { Occupant, Peep } from '#features/evacuation/calls/evacuation.ts'

/** Kept on the phone only as "there is a plan": its text is health data (persisted-reads). */
export type ShownPeep = Peep & { redacted?: true }
export const redactedPeep: ShownPeep = { disability: '', assistance: '', other: '', redacted: true }

export const withoutPeepText = (person: Occupant): Occupant => ({
  ...person,
  special: person.special.map((entry) => (entry.peep ? { ...entry, detail: '', peep: redactedPeep } : entry)),
})

export const planOf = ({ special }: Occupant): ShownPeep | undefined =>
  special.find((entry) => entry.name === 'assist' && entry.state)?.peep

import type { FirstAction } from '#kernel/actions.ts'

/** Event types that places of a kind use, by the standards of their country. This file has no schema, because the browser imports it. */
export const typeSets = ['workplace_au', 'workplace_nz', 'hospital_au', 'school_us', 'premises_uk'] as const
export type TypeSet = (typeof typeSets)[number]

export const typeSetWords: Record<TypeSet, string> = {
  workplace_au: 'Workplace, Australia (AS 3745)',
  workplace_nz: 'Workplace, New Zealand',
  hospital_au: 'Hospital, Australia (AS 4083)',
  school_us: 'School, United States',
  premises_uk: 'Premises or school, United Kingdom',
}

interface TypeOfSet {
  type: string
  action: FirstAction
  where: string
}

const of = (action: FirstAction, type: string, where = ''): TypeOfSet => ({ type, action, where })
const indoors = 'inner rooms, away from windows'

const workplace = [
  of('evacuate', 'Fire'),
  of('evacuate', 'Bomb threat'),
  of('lockdown', 'Intruder'),
  of('shelter', 'Severe weather', indoors),
  of('shelter', 'Chemical outside', 'indoors, doors and windows closed'),
  of('hold', 'Medical'),
]

const typesOfSet: Record<TypeSet, readonly TypeOfSet[]> = {
  workplace_au: workplace,
  workplace_nz: [
    ...workplace,
    of('shelter', 'Earthquake', 'under a table or against an inside wall'),
    of('move', 'Tsunami', 'high ground'),
  ],
  hospital_au: [
    of('move', 'Code Red Fire or smoke', 'the next fire compartment'),
    of('evacuate', 'Code Orange Evacuation'),
    of('evacuate', 'Code Purple Bomb threat'),
    of('lockdown', 'Code Black Personal threat'),
    of('hold', 'Code Yellow Internal emergency'),
    of('hold', 'Code Brown External emergency'),
    of('hold', 'Code Blue Medical emergency'),
  ],
  school_us: [
    of('hold', 'Hold'),
    of('secure', 'Secure'),
    of('lockdown', 'Lockdown'),
    of('evacuate', 'Evacuate'),
    of('shelter', 'Shelter', indoors),
  ],
  premises_uk: [
    of('evacuate', 'Evacuation'),
    of('move', 'Invacuation', 'inside, away from doors and windows'),
    of('lockdown', 'Lockdown'),
    of('shelter', 'Severe weather', indoors),
  ],
}

/** Those of the set whose names the organisation does not have, whatever the case. */
export function missingTypes(set: TypeSet, names: readonly string[]): TypeOfSet[] {
  const known = new Set(names.map((name) => name.trim().toLowerCase()))
  return typesOfSet[set].filter(({ type }) => !known.has(type.toLowerCase()))
}

import { isOpen } from './assignments/difference-of-assignments.ts'
import type { CheckedTables } from './read-tables.ts'

/** Up to this number no confirmation is needed. */
const mostEnds = 20
const mostPart = 0.1

/**
 * Reasons to reject an import that the operator has not confirmed: a new organisation, or files that would end many people.
 * One sentence each, with the option that confirms it.
 */
export function refusals(
  tables: CheckedTables,
  { codes, mayBeNew, mayEnd }: { codes: readonly string[]; mayBeNew: boolean; mayEnd: number },
): string[] {
  return [...refuseNew(tables, codes, mayBeNew), ...refuseEnds(tables, mayEnd)]
}

function refuseNew({ client, known }: CheckedTables, codes: readonly string[], mayBeNew: boolean): string[] {
  if (client || codes.length === 0 || mayBeNew) return []
  const near = codes.toSorted((a, b) => distance(a, known.client.code) - distance(b, known.client.code)).slice(0, 3)
  return [
    `No organisation has the code '${known.client.code}'; the nearest are ${near.map((code) => `'${code}'`).join(', ')}. To create another organisation, add --new-organisation.`,
  ]
}

/** Those who can administer the organisation, if the tables end all of them: one has to stay. */
export function mustStay({ missingPeople }: CheckedTables, usable: readonly string[]): ReadonlySet<string> {
  const ending = new Set(missingPeople)
  return new Set(usable.every((uid) => ending.has(uid)) ? usable : [])
}

export interface Ends {
  people: { number: number; of: number }
  assignments: { number: number; of: number }
}

/** People and assignments that the tables end, and how many are active or open. */
export function endsOf({
  held,
  missingPeople,
  openAssignments,
  assignments,
}: Pick<CheckedTables, 'held' | 'missingPeople' | 'openAssignments' | 'assignments'>): Ends {
  const people = [...held.person.values()].filter(({ active }) => active).length
  const ended =
    (assignments?.rows.filter(({ ends }) => ends).length ?? 0) + (assignments?.missing.filter(isOpen).length ?? 0)
  return {
    people: { number: missingPeople.length, of: people },
    assignments: { number: ended, of: openAssignments },
  }
}

export const numberOf = ({ people, assignments }: Ends): number => people.number + assignments.number

/** Above 10 % of the active and above 20 an upload asks for the number. */
export const mustBeTyped = ({ people, assignments }: Ends): boolean =>
  [people, assignments].some(({ number, of }) => number > mostEnds && number > of * mostPart)

function refuseEnds(tables: CheckedTables, mayEnd: number): string[] {
  const ends = endsOf(tables)
  const { people, assignments } = ends
  const isMuch = [people, assignments].some(({ number, of }) => number > mostEnds || number > of * mostPart)
  if (numberOf(ends) <= mayEnd || !isMuch) return []
  return [
    `It would end ${people.number} of ${people.of} people and ${assignments.number} of ${assignments.of} assignments: above 10%, or above ${mostEnds}. Check them with --dry-run. To go ahead, add --yes-end ${numberOf(ends)}.`,
  ]
}

/** Levenshtein distance, ignoring case. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (const [i, letter] of [...a.toLowerCase()].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b.toLowerCase()].entries())
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)))
    row = next
  }
  return row.at(-1) ?? 0
}

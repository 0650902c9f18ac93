import { isOpen } from './assignments/assignment-plan.ts'
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
    `No organisation has the code '${known.client.code}'; the nearest are ${near.map((code) => `'${code}'`).join(', ')}. If a further organisation is meant, add --new-organisation.`,
  ]
}

function refuseEnds({ held, missingPeople, openAssignments, assignments }: CheckedTables, mayEnd: number): string[] {
  const people = [...held.person.values()].filter(({ active }) => active).length
  const ended =
    (assignments?.rows.filter(({ ends }) => ends).length ?? 0) + (assignments?.missing.filter(isOpen).length ?? 0)
  const tooMany = (ends: number, of: number) => ends > mostEnds || ends > of * mostPart
  const ends = missingPeople.length + ended
  if (ends <= mayEnd || !(tooMany(missingPeople.length, people) || tooMany(ended, openAssignments))) return []
  return [
    `It would end ${missingPeople.length} of ${people} people and ${ended} of ${openAssignments} assignments: above 10 %, or above ${mostEnds}. Look at them with --dry-run. If they are meant, add --yes-end ${ends}.`,
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

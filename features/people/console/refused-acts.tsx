import type { Person } from './people.data.ts'

/** Why acts are not for this administrator, in place of their buttons. The same reason stands once. */
export function RefusedActs({ person, acts }: { person: Person; acts: readonly (keyof Person['authority'])[] }) {
  const reasons = new Set(acts.flatMap((act) => person.authority[act].refusal ?? []))
  return [...reasons].map((reason) => (
    <p key={reason} className="text-sm text-muted">
      {reason}
    </p>
  ))
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#kernel/client/client.ts'
import { FormDialog } from '#web/console/form-dialog.tsx'
import { fullName } from '#web/console/names.ts'
import { formatDate } from '#web/lib/time/dates.ts'
import { ToggleChoice } from '#web/ui/fields/toggle-choice.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { type MergeInput, mergePeople, type Pair, type Person, personQuery } from './people.data.ts'

type Field = MergeInput['take'][number]
type Side = 'one' | 'other'

/** Someone with a grant keeps their own. */
const ofSignIn: ReadonlySet<Field> = new Set(['email', 'mobile', 'sign_in'])

/** What each has of a field, in words. Null: nothing. */
const fields: readonly { field: Field; label: string; of: (person: Person) => string | null }[] = [
  { field: 'first_name', label: 'First name', of: ({ first_name }) => first_name || 'None' },
  { field: 'last_name', label: 'Last name', of: ({ last_name }) => last_name },
  { field: 'code', label: 'Code', of: ({ code }) => code },
  { field: 'email', label: 'Email', of: ({ email }) => email },
  { field: 'mobile', label: 'Mobile', of: ({ mobile }) => mobile },
  { field: 'place', label: 'Floor', of: ({ floor, building }) => floor && `${building?.name} - ${floor.name}` },
  { field: 'sign_in', label: 'Sign-in', of: signInOf },
  { field: 'plan', label: 'Plan', of: ({ plan }) => plan && planWords(plan) },
]

function signInOf({ username, code, sign_in: { has_password } }: Person) {
  if (!has_password && !username) return null
  return `${username ?? `That of ${code}`}${has_password ? ', password' : ''}`
}

const planWords = ({ review_on }: NonNullable<Person['plan']>) =>
  review_on ? `Review on ${formatDate(review_on)}` : 'No review date'

/** Who to keep, and of each field in which both differ, whose counts. What only one has is kept. */
export function MergeDialog({ pair, onClose }: { pair: Pair; onClose: () => void }) {
  const queryClient = useQueryClient()
  const people = { one: useQuery(personQuery(pair.one.uid)), other: useQuery(personQuery(pair.other.uid)) }
  const [side, setSide] = useState<Side>('one')
  const [chosen, setChosen] = useState<Partial<Record<Field, Side>>>({})
  const [one, other] = [people.one.data, people.other.data]
  const kept = people[side].data
  const keepsOwn = kept?.authority.merge_stays.keeps_own ?? false
  const differing =
    one && other
      ? fields.filter(({ field, of }) => isOpen(of(one), of(other)) && !(keepsOwn && ofSignIn.has(field)))
      : []
  const sideOf = (field: Field) => chosen[field] ?? side
  const away: Side = side === 'one' ? 'other' : 'one'
  const refusal = kept?.authority.merge_stays.refusal ?? people[away].data?.authority.merge_goes.refusal
  const event = one?.in_event_at ?? other?.in_event_at
  const save = async () => {
    const [stays, goes] = [people[side].data as Person, people[away].data as Person]
    const take = differing.map(({ field }) => field).filter((field) => sideOf(field) === away)
    const versions = { stays_version: stays.version, goes_version: goes.version }
    try {
      await mergePeople({ stays: stays.uid, goes: goes.uid, ...versions, take })
    } catch (error) {
      // the values that someone else saved stand side by side from now on
      if (error instanceof ApiError && error.code === 'changed_since')
        await Promise.all([people.one.refetch(), people.other.refetch()])
      throw error
    }
    await Promise.all(['people', 'person'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
  }
  const namesOf = (of: (person: Person) => string | null) => [
    { value: 'one' as const, label: (one && of(one)) ?? '' },
    { value: 'other' as const, label: (other && of(other)) ?? '' },
  ]
  return (
    <FormDialog
      title="Merge two people"
      action="Merge"
      isReady={one !== undefined && other !== undefined && !event && !refusal}
      done="Merged."
      fields={[]}
      onSave={save}
      onClose={onClose}
    >
      {() => (
        <>
          {(people.one.error || people.other.error) && <Notice variant="danger">They could not be loaded.</Notice>}
          {event && <Notice>An event is running at {event}. This can be changed when it has ended.</Notice>}
          {refusal && <Notice>{refusal}</Notice>}
          {one && other && (
            <div className="grid grid-cols-1 gap-4 wrap-anywhere">
              <ToggleChoice
                legend="Who to keep"
                value={side}
                options={namesOf((person) => `${fullName(person)}, ${person.code}`)}
                onChange={(value) => {
                  setSide(value)
                  setChosen({})
                }}
              />
              {differing.map(({ field, label, of }) => (
                <ToggleChoice
                  key={field}
                  legend={label}
                  value={sideOf(field)}
                  options={namesOf(of)}
                  onChange={(value) => setChosen({ ...chosen, [field]: value })}
                />
              ))}
              <p className="text-sm text-muted">
                The person you keep gets the groups, assignments and plan, and any details that only the other has. The
                other is deactivated and points to the person you keep; past events show both. Where both have the same
                role at one site from the same day, the floors of both count.{' '}
                {keepsOwn ? 'They keep their own email, mobile and sign-in.' : ''}
              </p>
            </div>
          )}
        </>
      )}
    </FormDialog>
  )
}

const isOpen = (one: string | null, other: string | null) => one !== null && other !== null && one !== other

import { queryOptions, useQuery } from '@tanstack/react-query'
import type { PersonUid } from '#kernel/ids.ts'
import { useZone } from '#web/console/me.data.ts'
import { formatDateIn } from '#web/console/zone-time.ts'
import { consoleCall } from '#web/session/console-session.ts'
import { Notice } from '#web/ui/notice.tsx'
import type { SignInOrigin } from '../calls.ts'

const originsQuery = (people: readonly PersonUid[]) =>
  queryOptions({
    queryKey: ['person', 'sign-in-origins', people],
    queryFn: ({ signal }) =>
      consoleCall('POST /api/console/sign-in-origins', { body: { people: [...people] } }, { signal }),
    enabled: people.length > 0,
  })

/** Who may sign in as these people, before they are given much: who entered the address, and who may know the password. */
export function SignInOrigins({ people }: { people: readonly PersonUid[] }) {
  const { data = [], error } = useQuery(originsQuery(people))
  const zone = useZone()
  if (error) return <Notice variant="warning">Who entered the address could not be read.</Notice>
  const known = data.filter((one) => sentencesOf(one, zone) !== '')
  return (
    <ul aria-label="Where the sign-in comes from" className="grid gap-1 text-sm empty:hidden">
      {known.map((one) => (
        <li key={one.person} className="wrap-anywhere">
          {people.length > 1 && <strong>{one.name}: </strong>}
          {sentencesOf(one, zone)}
        </li>
      ))}
    </ul>
  )
}

/** What two addresses have in common is said once. */
const sentencesOf = ({ addresses, password_was_shown, password_merged: merged }: SignInOrigin, zone: string) =>
  [
    ...new Set(addresses.map(({ by, at }) => `Address entered by ${by} on ${formatDateIn(at, zone)}.`)),
    password_was_shown && 'Password set from a shown invitation.',
    merged && `Password came by a merge by ${merged.by} on ${formatDateIn(merged.at, zone)}.`,
  ]
    .filter(Boolean)
    .join(' ')

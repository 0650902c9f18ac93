import { queryOptions, useQuery } from '@tanstack/react-query'
import { count } from '#web/console/count.ts'
import { useZone } from '#web/console/me.data.ts'
import { formatMomentIn } from '#web/console/zone-time.ts'
import { consoleCall, consoleSentence } from '#web/session/console-session.ts'
import { Link } from '#web/ui/link.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { SignInChangesNotice } from '../web/sign-in-changes-notice.tsx'
import { listedDays, signInChanges } from '../words.ts'

const changesQuery = queryOptions({
  queryKey: ['person', 'sign-in-changes'],
  queryFn: ({ signal }) => consoleCall('GET /api/console/sign-in-changes', {}, { signal }),
})

/** Above every page: what others changed in the own sign-in. */
export function OwnSignInChanges() {
  const { data } = useQuery(changesQuery)
  const zone = useZone()
  return <SignInChangesNotice own={data?.own} format={(at) => formatMomentIn(at, zone)} />
}

/** Changes to sign-ins within reach. `mayReadLog`: the rest stands in the audit log. */
export function SignInChanges({ mayReadLog }: { mayReadLog: boolean }) {
  const { data, error } = useQuery(changesQuery)
  const zone = useZone()
  if (!data) return error && <Notice variant="warning">Sign-in changes: {consoleSentence(error)}</Notice>
  const { rows, total } = data
  const further = total - rows.length
  return (
    <section aria-labelledby="sign-in-changes-title" className="grid gap-3">
      <h2 id="sign-in-changes-title" className="text-lg font-bold">
        Sign-in changes
      </h2>
      <p className="text-muted">
        {rows.length === 0 ? 'None in' : 'Of'} the last {listedDays} days.
      </p>
      <ul className="card grid gap-3 empty:hidden">
        {rows.map(({ uid, person, what, by, at }) => (
          <li key={uid} className="wrap-anywhere">
            <Link to={`/console/people/${person.uid}`} className="font-semibold text-link underline">
              {person.name}
            </Link>
            : {signInChanges[what].listed}
            <span className="block text-sm text-muted">
              By {by}, {formatMomentIn(at, zone)}
            </span>
          </li>
        ))}
      </ul>
      {further > 0 && (
        <p className="text-sm text-muted">
          And {count(further, 'older change')}
          {mayReadLog ? (
            <>
              :{' '}
              <Link to="/console/audit" className="text-link underline">
                see the audit log
              </Link>
            </>
          ) : (
            '.'
          )}
        </p>
      )}
    </section>
  )
}

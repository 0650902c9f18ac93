import { useQuery } from '@tanstack/react-query'
import type { PersonUid } from '#kernel/ids.ts'
import { meQuery, useZone } from '#web/console/me.data.ts'
import { formatMomentIn } from '#web/console/zone-time.ts'
import { Link } from '#web/ui/link.tsx'
import { Panel } from './panel.tsx'
import { historyQuery } from './people.data.ts'

const mostShown = 8

/** What has last happened to the person, for those who may read the audit log. */
export function HistoryPanel({ uid }: { uid: PersonUid }) {
  const mayRead = useQuery(meQuery).data?.rights.includes('organisation') ?? false
  const { data, error } = useQuery({ ...historyQuery(uid), enabled: mayRead })
  const zone = useZone()
  if (!mayRead) return null
  return (
    <Panel title="History">
      {error && <p className="text-muted">The history could not be loaded.</p>}
      {data?.rows.length === 0 && <p className="text-muted">Nothing yet</p>}
      <ul className="grid grid-cols-1 gap-2 empty:hidden">
        {data?.rows.slice(0, mostShown).map(({ position, at, who, action, changes }) => (
          <li key={position}>
            <span className="font-semibold">{wordsOf(action)}</span>
            {fieldsOf(action, changes)}
            <span className="block text-sm text-muted">
              {formatMomentIn(at, zone)}, {who ?? 'Operator'}
            </span>
          </li>
        ))}
      </ul>
      <Link to={`/console/audit?person=${uid}`} className="console-link">
        All in the audit log
      </Link>
    </Panel>
  )
}

/** What was changed. A new row has all of them. */
function fieldsOf(action: string, changes: readonly { field: string; after: string | null }[]): string {
  const fields = changes.find(({ field }) => field === 'fields')?.after
  return fields && !action.endsWith('_added') ? `: ${fields.replaceAll('_', ' ')}` : ''
}

/** 'plan_viewed' reads 'Plan viewed'. */
const wordsOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`

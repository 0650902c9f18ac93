import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { List } from '#web/console/list/list.tsx'
import { useListAddress } from '#web/console/list/list-address.ts'
import { useZone } from '#web/console/me.data.ts'
import { PageFrame } from '#web/console/page-frame.tsx'
import { toastFailure } from '#web/console/toast-done.ts'
import { formatMomentIn } from '#web/console/zone-time.ts'
import { useOneAction } from '#web/lib/one-action.ts'
import { Button } from '#web/ui/button.tsx'
import { type AuditEntry, type AuditQuery, auditFilters, auditQuery, readFile } from './audit.data.ts'
import { AuditFilters } from './audit-filters.tsx'

/** 'plan_viewed' reads 'Plan viewed'. */
const wordsOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`

/** Who did what, newest first. A row unfolds to its fields. */
export function AuditPage() {
  const address = useListAddress(auditFilters)
  const zone = useZone()
  // an address that someone typed is checked by the server
  const query = address.query as AuditQuery
  const read = useQuery(auditQuery(query))
  const columns = [
    { head: 'Who', cell: ({ who }: AuditEntry) => who ?? 'Operator' },
    { head: 'What', cell: What },
    { head: 'On whom', cell: ({ subject }: AuditEntry) => subject },
  ]
  return (
    <PageFrame
      title="Audit log"
      purpose="Who changed what, outside events, and when events began and ended."
      button={<DownloadButton query={query} />}
    >
      <List
        label="Entries"
        read={read}
        address={address}
        keyOf={({ position }) => position}
        nameHead="Time"
        name={({ at }) => <time dateTime={at}>{formatMomentIn(at, zone)}</time>}
        columns={columns}
        filters={<AuditFilters address={address} />}
        nobody="Nothing found with these filters."
        empty="Nothing has happened yet."
      />
    </PageFrame>
  )
}

function What({ action, changes }: AuditEntry) {
  if (changes.length === 0) return wordsOf(action)
  return (
    <details>
      <summary className="cursor-pointer">{wordsOf(action)}</summary>
      <dl className="mt-1 grid gap-1">
        {changes.map(({ field, before, after }) => (
          <div key={field} className="flex flex-wrap gap-x-2">
            <dt className="font-semibold">{wordsOf(field)}</dt>
            <dd className="wrap-anywhere">
              {before !== null && (
                <>
                  <del className="text-muted">{before}</del>{' '}
                </>
              )}
              {after}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function DownloadButton({ query }: { query: AuditQuery }) {
  const { running, run } = useOneAction<'download'>()
  const handlePress = () =>
    void run('download', async () => {
      try {
        const address = URL.createObjectURL(await readFile(query))
        Object.assign(document.createElement('a'), { href: address, download: 'audit.csv' }).click()
        URL.revokeObjectURL(address)
      } catch (error) {
        toastFailure(error)
      }
    })
  return (
    <Button icon={Download} variant="outline" busy={running !== null} onClick={handlePress}>
      Download
    </Button>
  )
}

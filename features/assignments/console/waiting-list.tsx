import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { WaitingUid } from '#kernel/ids.ts'
import { ConfirmAct } from '#web/console/confirm-act.tsx'
import { nowQuery, useZone } from '#web/console/me.data.ts'
import { toastFailure } from '#web/console/toast-done.ts'
import { formatTimeIn } from '#web/console/zone-time.ts'
import { useOneAction } from '#web/lib/one-action.ts'
import { consoleCall } from '#web/session/console-session.ts'
import { Button } from '#web/ui/button.tsx'

interface Waiting {
  uid: WaitingUid
  kind: 'deactivation' | 'assignment_end'
  person: string
  site: string | null
  by: string | null
  since: string
}

const what = { deactivation: 'Deactivate', assignment_end: 'End the assignment of' }

/** What waits until a warden is off duty, with who asked and since when. */
export function WaitingList({ mayDecide }: { mayDecide: boolean }) {
  const client = useQueryClient()
  const zone = useZone()
  const { data } = useQuery(nowQuery)
  const [asked, setAsked] = useState<Waiting | null>(null)
  const { running, run } = useOneAction<string>()
  if (!data || data.waiting.length === 0) return null
  const drop = ({ uid }: Waiting) =>
    run(uid, async () => {
      await consoleCall('POST /api/console/waiting/:uid/drop', { params: { uid } }).catch(toastFailure)
      await client.invalidateQueries({ queryKey: nowQuery.queryKey })
    })
  return (
    <section aria-labelledby="waiting-title" className="grid gap-3">
      <h2 id="waiting-title" className="text-lg font-bold">
        Waiting ({data.waiting.length})
      </h2>
      <ul className="grid gap-2">
        {data.waiting.map((one) => (
          <li key={one.uid} className="card flex flex-wrap items-center justify-between gap-3">
            <p className="min-w-0">
              <span className="block font-semibold wrap-anywhere">
                {what[one.kind]} {one.person}
              </span>
              <span className="block text-sm text-muted">
                Requested by {one.by ?? 'a directory or the operator'}, {formatTimeIn(one.since, zone)}. Happens when
                they are off duty.
              </span>
            </p>
            {mayDecide && (
              <div className="console-acts">
                <Button variant="outline" aria-label={`Do it now: ${one.person}`} onClick={() => setAsked(one)}>
                  Do it now
                </Button>
                <Button
                  variant="quiet"
                  aria-label={`Cancel change: ${one.person}`}
                  busy={running === one.uid}
                  onClick={() => void drop(one)}
                >
                  Cancel change
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {asked && <NowDialog waiting={asked} onClose={() => setAsked(null)} />}
    </section>
  )
}

function NowDialog({ waiting: { uid, person, site }, onClose }: { waiting: Waiting; onClose: () => void }) {
  return (
    <ConfirmAct
      title={`Take ${person} off duty?`}
      confirm="Do it now"
      act={() => consoleCall('POST /api/console/waiting/:uid/now', { params: { uid } })}
      done="Saved."
      again={[nowQuery.queryKey]}
      onClose={onClose}
    >
      <p>They are on duty at {site}. Their phone will show that they are no longer authorised.</p>
    </ConfirmAct>
  )
}

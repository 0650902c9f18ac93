import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import type { PersonUid } from '#kernel/ids.ts'
import { Failure } from '#web/console/failure.tsx'
import { useZone } from '#web/console/me.data.ts'
import { toastDone } from '#web/console/toast-done.ts'
import { formatMomentIn } from '#web/console/zone-time.ts'
import { useOneAction } from '#web/lib/one-action.ts'
import { consoleSentence } from '#web/session/console-session.ts'
import { Button } from '#web/ui/button.tsx'
import { noteTold, noticesQuery, type PlanNotice } from './plans.data.ts'

const words: Record<PlanNotice['how'], string> = {
  later: 'Will be told after the event',
  mail: 'Told by email',
  text: 'Told by text',
  none: 'Not told',
  in_person: 'Told in person',
}

/** Whether the person knows that their plan was opened in an event. */
export function Notices({ personUid }: { personUid: PersonUid }) {
  const zone = useZone()
  const { data } = useQuery(noticesQuery(personUid))
  if (!data || data.length === 0) return null
  const count = data.filter(({ how }) => how === 'none').length
  return (
    <section aria-labelledby="notices-title" className="grid gap-2 border-t border-hairline pt-4">
      <h2 id="notices-title" className="text-lg font-bold">
        Opened in events
      </h2>
      <ul className="grid gap-1 text-sm">
        {data.map(({ site, began_at, how, at }) => (
          <li key={`${site} ${began_at}`} className="flex flex-wrap gap-x-3 tabular-nums">
            <time dateTime={began_at}>{formatMomentIn(began_at, zone)}</time>
            <span>{site}</span>
            {how === 'none' ? (
              <strong className="inline-flex items-center gap-1">
                <CircleAlert aria-hidden size={16} />
                {words[how]}
              </strong>
            ) : (
              <span className="text-muted">
                {words[how]}
                {at && `, ${formatMomentIn(at, zone)}`}
              </span>
            )}
          </li>
        ))}
      </ul>
      {count > 0 && <InPerson personUid={personUid} count={count} />}
    </section>
  )
}

function InPerson({ personUid, count }: { personUid: PersonUid; count: number }) {
  const queryClient = useQueryClient()
  const { running, run } = useOneAction<'told'>()
  const [error, setError] = useState<string | null>(null)
  const handlePress = () =>
    void run('told', async () => {
      try {
        await noteTold(personUid, count)
        setError(null)
        toastDone('Saved.')
      } catch (failure) {
        setError(consoleSentence(failure))
      }
      await queryClient.invalidateQueries({ queryKey: ['plan-notices', personUid] })
      await queryClient.invalidateQueries({ queryKey: ['plans'] })
    })
  return (
    <>
      <p className="text-sm text-muted">Neither email nor text has reached the person.</p>
      <Failure of={error} />
      <Button variant="outline" className="justify-self-start" busy={running !== null} onClick={handlePress}>
        Told in person
      </Button>
    </>
  )
}

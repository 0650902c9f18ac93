import { useQueryClient } from '@tanstack/react-query'
import type { PlaceUid } from '#kernel/ids.ts'
import { toastDone, toastFailure } from '#web/console/toast-done.ts'
import { useOneAction } from '#web/lib/one-action.ts'
import { formatDate } from '#web/lib/time/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { bringBack, readPlacesAgain } from './places.data.ts'

interface RetiredProps {
  places: readonly { uid: PlaceUid; name: string; code: string; retired_at: string | null }[]
}

/** 'Retired (n)' unfolds what is out of use. */
export function Retired({ places }: RetiredProps) {
  const client = useQueryClient()
  const { running, run } = useOneAction<string>()
  const retired = places.filter(({ retired_at }) => retired_at !== null)
  if (retired.length === 0) return null
  const press = (uid: PlaceUid) =>
    run(uid, async () => {
      await bringBack(uid).then(() => toastDone('Saved.'), toastFailure)
      await readPlacesAgain(client)
    })
  return (
    <details className="text-muted">
      <summary className="cursor-pointer py-2 font-semibold">Retired ({retired.length})</summary>
      <ul className="grid gap-1">
        {retired.map(({ uid, name, code, retired_at }) => (
          <li key={uid} className="flex flex-wrap items-center justify-between gap-2">
            <span className="min-w-0 wrap-anywhere">
              {name} <span className="text-sm">{code}</span>, {formatDate(retired_at ?? '')}
            </span>
            <Button
              variant="quiet"
              aria-label={`Restore ${name}`}
              busy={running === uid}
              onClick={() => void press(uid)}
            >
              Restore
            </Button>
          </li>
        ))}
      </ul>
    </details>
  )
}

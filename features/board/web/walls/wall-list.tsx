import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SiteUid } from '#kernel/ids.ts'
import { formatDate } from '#web/lib/time/dates.ts'
import { formatMoment } from '#web/lib/time/server-clock.ts'
import { call } from '#web/session/api.ts'
import { useKeyedSend } from '#web/session/use-keyed-send.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/popups/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { WallLink } from '../../calls/walls.ts'
import { wallPlaceWords } from './wall-place-words.ts'
import { wallSentence, wallsQuery } from './walls.data.ts'

interface WallListProps {
  walls: readonly WallLink[]
  site: SiteUid
  onEnded: (uid: string) => void
}

/** The live links, and 'End'. */
export function WallList({ walls, site, onEnded }: WallListProps) {
  if (walls.length === 0) return <p className="text-muted">Nothing here.</p>
  return (
    <ul aria-label="Wall screens" className="grid grid-cols-1 gap-3">
      {walls.map((wall) => (
        <li key={wall.uid} className="card flex flex-wrap items-center justify-between gap-3">
          <span className="min-w-0 flex-1">
            <strong className="wrap-anywhere">{wall.name}</strong>
            <span className="block">{wallPlaceWords[wall.place].words}</span>
            <span className="block text-sm text-muted">
              Made by {wall.by}, {formatDate(wall.made_at)}. Until {formatDate(wall.ends_at)}.{' '}
              {wall.seen_at ? `Last seen ${formatMoment(Date.parse(wall.seen_at))}.` : 'Not opened yet.'}
            </span>
          </span>
          <EndWall wall={wall} site={site} onEnded={onEnded} />
        </li>
      ))}
    </ul>
  )
}

function EndWall({ wall: { uid, name }, site, onEnded }: Omit<WallListProps, 'walls'> & { wall: WallLink }) {
  const client = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const send = useKeyedSend(JSON.stringify, (params: { uid: string }, extras) =>
    call('POST /api/event/walls/:uid/end', { params }, extras),
  )
  const end = async () => {
    try {
      await send.mutateAsync({ uid })
      toast('Ended.', { variant: 'success' })
      onEnded(uid)
    } catch (error) {
      toast(wallSentence(error), { variant: 'danger' })
    }
    setAsked(false)
    void client.invalidateQueries({ queryKey: wallsQuery(site).queryKey })
  }
  return (
    <>
      <Button variant="outline" aria-label={`End ${name}`} onClick={() => setAsked(true)}>
        End
      </Button>
      <ConfirmDialog
        open={isAsked}
        title={`End ${name}?`}
        confirm="End"
        busy={send.isPending}
        onConfirm={() => void end()}
        onCancel={() => setAsked(false)}
      >
        <p>The screen goes blank within 4 seconds. Its link will not work again.</p>
      </ConfirmDialog>
    </>
  )
}

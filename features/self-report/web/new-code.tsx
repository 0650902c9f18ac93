import { useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { call } from '#web/session/api.ts'
import { useKeyedSend } from '#web/session/use-keyed-send.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/popups/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { posterQuery, type SitePoster } from './poster.data.ts'

/** 'Make a new code', when the address of the old posters is in wrong hands. */
export function NewCode({ poster: { site, code } }: { poster: SitePoster }) {
  const client = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const send = useKeyedSend(
    () => `${site.id} ${code}`,
    (body: { site: typeof site.id }, extras) => call('POST /api/sites/report-code', { body }, extras),
  )
  const make = async () => {
    try {
      client.setQueryData(posterQuery(site.id).queryKey, await send.mutateAsync({ site: site.id }))
      toast('New code made. Print the new poster.', { variant: 'success' })
    } catch {
      toast('Not saved. Try again.', { variant: 'danger' })
    }
    setAsked(false)
  }
  return (
    <>
      <Button variant="outline" icon={RefreshCw} className="grow" onClick={() => setAsked(true)}>
        Make a new code
      </Button>
      <ConfirmDialog
        open={isAsked}
        title="Make a new code?"
        confirm="Make a new code"
        busy={send.isPending}
        onConfirm={() => void make()}
        onCancel={() => setAsked(false)}
      >
        <p>
          All posters up in {site.name} stop working at once. Print the new one and put it up. Personal links keep
          working.
        </p>
      </ConfirmDialog>
    </>
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Printer, X } from 'lucide-react'
import { QrCode } from '#web/console/qr-code.tsx'
import { formatMoment } from '#web/lib/time/server-clock.ts'
import { call } from '#web/session/api.ts'
import { useKeyedSend } from '#web/session/use-keyed-send.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'
import { addressesQuery, type Pack, packsQuery } from './arrival-pack.data.ts'
import { notSaved } from './not-saved.ts'
import { printPack } from './print-pack.ts'

export function LivePacks({ packs }: { packs: readonly Pack[] }) {
  const { data: addresses } = useQuery(addressesQuery)
  return (
    <ul aria-label="Arrival packs" className="grid grid-cols-1 gap-4">
      {packs.map((pack) => (
        <li key={pack.uid}>
          <LivePack pack={pack} address={addresses[pack.uid]} />
        </li>
      ))}
    </ul>
  )
}

/** The address is known to the phone that made it. */
function LivePack({ pack, address }: { pack: Pack; address: string | undefined }) {
  return (
    <section aria-label={`Pack by ${pack.by}`} className="card grid grid-cols-1 gap-3">
      {address && (
        <div className="mx-auto w-full max-w-90 min-w-70">
          <QrCode text={address} label="QR code of the arrival pack" />
        </div>
      )}
      <p>
        {address ? (
          <span className="rec-code block font-mono text-sm wrap-anywhere select-all">{address}</span>
        ) : (
          <span className="block">Only the phone that made it shows the address, until its app is closed.</span>
        )}
        <strong className="block">Ends {formatMoment(new Date(pack.ends_at))}</strong>
        <span className="block text-sm text-muted">
          Made by {pack.by} at {formatMoment(new Date(pack.made_at))}, {pack.plans ? 'with' : 'without'} the help people
          need
        </span>
      </p>
      <div className="flex flex-wrap gap-3">
        {address && (
          <Button variant="outline" icon={Printer} className="grow" onClick={() => printPack(address)}>
            Print
          </Button>
        )}
        <EndPack uid={pack.uid} />
      </div>
    </section>
  )
}

function EndPack({ uid }: { uid: string }) {
  const client = useQueryClient()
  const send = useKeyedSend(JSON.stringify, (params: { uid: string }, extras) =>
    call('POST /api/event/packs/:uid/end', { params }, extras),
  )
  const end = async () => {
    try {
      client.setQueryData(packsQuery.queryKey, await send.mutateAsync({ uid }))
      toast('Ended.', { variant: 'success' })
    } catch (error) {
      toast(notSaved(error), { variant: 'danger' })
    }
  }
  return (
    <Button variant="outline" icon={X} className="grow" busy={send.isPending} onClick={() => void end()}>
      End
    </Button>
  )
}

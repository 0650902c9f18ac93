import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { createPortal } from 'react-dom'
import { meQuery, useZone } from '#web/console/me.data.ts'
import { formatMomentIn } from '#web/console/zone-time.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogFoot } from '#web/ui/popups/dialog.tsx'

/** An invitation that is handed over. */
export interface ShownInvitation {
  name: string
  link: string
  what: string
  expires_at: string
}

const QrCode = lazy(async () => ({ default: (await import('#web/console/qr-code.tsx')).QrCode }))

/** The link and its code, shown once. On A4 each invitation has a page of its own. */
export function InvitationSheets({ shown, onDone }: { shown: readonly ShownInvitation[]; onDone: () => void }) {
  return (
    <>
      <p>
        Give {shown.length === 1 ? 'this link to the person' : 'each person their link'} yourself. It works once, within
        seven days, and is not shown again.
      </p>
      {shown.map((one) => (
        <Sheet key={one.link} {...one} />
      ))}
      <DialogFoot>
        <div className="console-end">
          <Button variant="outline" onClick={() => window.print()}>
            Print
          </Button>
          {shown.length === 1 && (
            <Button
              variant="outline"
              onClick={() => void navigator.clipboard.writeText(shown[0]?.link ?? '').catch(() => undefined)}
            >
              Copy
            </Button>
          )}
          <Button onClick={onDone}>Done</Button>
        </div>
      </DialogFoot>
      {createPortal(
        <div className="console-print" aria-hidden>
          {shown.map((one) => (
            <Sheet key={one.link} {...one} />
          ))}
        </div>,
        document.body,
      )}
    </>
  )
}

function Sheet({ name, link, what, expires_at }: ShownInvitation) {
  const organisation = useQuery(meQuery).data?.organisation.name
  const zone = useZone()
  return (
    <section className="console-sheet">
      <h3 className="text-lg font-bold">{name}</h3>
      <p>
        {organisation} invites you as {what}.
      </p>
      <div className="console-qr">
        <Suspense>
          <QrCode text={link} label={`QR code of the invitation of ${name}`} />
        </Suspense>
      </div>
      <p className="console-mono text-sm wrap-anywhere console-whole">{link}</p>
      <p className="text-sm text-muted">Until {formatMomentIn(expires_at, zone)}. It works once.</p>
    </section>
  )
}

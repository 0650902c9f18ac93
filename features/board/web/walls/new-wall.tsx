import { ExternalLink } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { buttonClass } from '#web/ui/button.tsx'
import { CopyLink } from '#web/ui/fields/copy-link.tsx'
import type { MadeWall } from './walls.data.ts'

const QrCode = lazy(async () => ({ default: (await import('#web/console/qr-code.tsx')).QrCode }))

/** The address, shown this once: as text, as a QR code, and to open here. */
export function NewWall({ made: { name, url } }: { made: MadeWall }) {
  return (
    <section aria-label="New link" className="card grid grid-cols-1 gap-3">
      <h2 className="text-lg font-bold">Link for {name}</h2>
      <p>This is shown only once. Copy it now. Anyone who has it can see the board for this site.</p>
      <div className="bd-wall-qr">
        <Suspense>
          <QrCode text={url} label={`QR code of the link for ${name}`} />
        </Suspense>
      </div>
      <CopyLink link={url}>
        <a href={url} target="_blank" rel="noreferrer" className={buttonClass('blue', true)}>
          <ExternalLink aria-hidden className="shrink-0" />
          Open here
        </a>
      </CopyLink>
    </section>
  )
}

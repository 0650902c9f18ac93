import { Copy, ExternalLink } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { MadeWall } from './walls.data.ts'

const QrCode = lazy(async () => ({ default: (await import('#web/console/qr-code.tsx')).QrCode }))

/** The address, shown this once: as text, as a QR code, and to open here. */
export function NewWall({ made: { name, url } }: { made: MadeWall }) {
  const copy = () =>
    navigator.clipboard.writeText(url).then(
      () => toast('The link has been copied.', { variant: 'success' }),
      () => toast('The link could not be copied.', { variant: 'danger' }),
    )
  return (
    <section aria-label="New link" className="card grid grid-cols-1 gap-3">
      <h2 className="text-lg font-bold">Link for {name}</h2>
      <p>This is shown only once. Copy it now. Anyone who has it can see the board for this site.</p>
      <div className="bd-wall-qr">
        <Suspense>
          <QrCode text={url} label={`QR code of the link for ${name}`} />
        </Suspense>
      </div>
      <TextField label="Link" value={url} readOnly onChange={() => undefined} />
      <a href={url} target="_blank" rel="noreferrer" className={buttonClass('blue', true)}>
        <ExternalLink aria-hidden className="shrink-0" />
        Open here
      </a>
      <Button variant="outline" icon={Copy} onClick={() => void copy()}>
        Copy the link
      </Button>
    </section>
  )
}

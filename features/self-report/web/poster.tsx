import { QrCode } from '#web/console/qr-code.tsx'
import { posterSentence } from '../words.ts'

/** Longer names are drawn smaller. */
const longName = 40

/** The sheet of A4 that hangs in a site. Black on white in both themes, as it is on paper. */
export function Poster({ site, url }: { site: string; url: string }) {
  return (
    <section aria-label={`Poster of ${site}`} className="poster">
      <div className="poster-sheet">
        <p className="poster-site" data-long={site.length > longName || undefined}>
          {site}
        </p>
        <h2 className="poster-words">{posterSentence}</h2>
        <div className="poster-qr">
          <QrCode text={url} label="QR code of the self-report page" />
        </div>
        <p className="poster-type">Scan the code, or type:</p>
        <p className="poster-address">
          <Typed url={url} />
        </p>
        <p className="poster-foot">No signal? Tell a warden.</p>
      </div>
    </section>
  )
}

/** The address as it is typed: browsers add 'https://' themselves. A line ends between its parts alone. */
function Typed({ url }: { url: string }) {
  const parts = url.replace(/^https:\/\//, '').split(/(?<=\/)(?=s\/)/)
  return parts.map((part, nth) => (
    <span key={part}>
      {nth > 0 && <wbr />}
      {part}
    </span>
  ))
}

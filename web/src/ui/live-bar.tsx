import { CloudOff, CloudUpload, History, type LucideIcon, Unplug } from 'lucide-react'
import { formatMoment } from '../lib/dates.ts'
import type { Trouble } from '../lib/truth.ts'

const looks: Record<Trouble, { icon: LucideIcon; text: string }> = {
  offline: { icon: CloudOff, text: 'Offline.' },
  'feed-lost': { icon: Unplug, text: 'Live updates are interrupted.' },
  stale: { icon: History, text: 'Not up to date.' },
  unsent: { icon: CloudUpload, text: 'Sending.' },
}

interface LiveBarProps {
  /** What is wrong; null draws nothing. */
  trouble: Trouble | null
  /** When the oldest list on screen was read; null while none is shown. */
  asOf: number | null
  /** Records that wait on this phone to be sent. */
  waiting?: number
}

const waitingText = (waiting: number) => ` ${waiting} ${waiting === 1 ? 'change' : 'changes'} saved on this phone.`

/** The truth about what is on screen, while something is not right. */
export function LiveBar({ trouble, asOf, waiting = 0 }: LiveBarProps) {
  const { icon: Icon, text } = looks[trouble ?? 'stale']
  return (
    <div role="status">
      {trouble && (
        <p data-trouble={trouble} className="bg-unknown font-bold text-on-unknown">
          <span className="column flex items-center gap-3 py-2">
            <Icon aria-hidden className="shrink-0" />
            <span>
              {text}
              {waiting > 0 && waitingText(waiting)}
              {/* Each poll brings another time: the whole bar would be read out every few seconds. */}
              {asOf !== null && <span aria-live="off"> List as of {formatMoment(asOf)}.</span>}
            </span>
          </span>
        </p>
      )}
    </div>
  )
}

import { CloudOff, CloudUpload, History, type LucideIcon, Unplug } from 'lucide-react'
import { formatMoment } from '../lib/dates.ts'
import type { Trouble } from './truth.ts'

const looks: Record<Trouble, { icon: LucideIcon; text: string }> = {
  offline: { icon: CloudOff, text: 'Offline.' },
  'feed-lost': { icon: Unplug, text: 'Live updates are interrupted.' },
  stale: { icon: History, text: 'Not up to date.' },
  'off-duty': { icon: CloudUpload, text: 'You are not on duty.' },
  unsent: { icon: CloudUpload, text: 'Sending.' },
  unkept: { icon: CloudOff, text: '' },
}

interface LiveBarProps {
  /** What is wrong; null draws nothing. */
  trouble: Trouble | null
  /** When the oldest list on screen was read; null while none is shown. */
  asOf: number | null
  /** Records that wait on this phone to be sent. */
  waiting?: number
  /** Something lives in this page alone, for the phone refuses to keep it. */
  unkept?: boolean
}

const changes = (count: number) => `${count} ${count === 1 ? 'change' : 'changes'}`
const waitingText = (waiting: number, unkept: boolean) =>
  unkept ? ` ${changes(waiting)} not sent.` : ` ${changes(waiting)} saved on this phone.`
const unkeptText = ' This phone cannot save. Keep this page open.'

/** The truth about what is on screen, while something is not right. */
export function LiveBar({ trouble, asOf, waiting = 0, unkept = false }: LiveBarProps) {
  const { icon: Icon, text } = looks[trouble ?? 'stale']
  return (
    <div role="status">
      {trouble && (
        <p data-trouble={trouble} className="bg-unknown font-bold text-on-unknown">
          <span className="column flex items-center gap-3 py-2">
            <Icon aria-hidden className="shrink-0" />
            <span>
              {text}
              {waiting > 0 && waitingText(waiting, unkept)}
              {trouble === 'off-duty' && ' To be sent when you rejoin the event.'}
              {unkept && unkeptText}
              {/* Each poll brings another time: the whole bar would be read out every few seconds. */}
              {asOf !== null && <span aria-live="off"> List as of {formatMoment(asOf)}.</span>}
            </span>
          </span>
        </p>
      )}
    </div>
  )
}

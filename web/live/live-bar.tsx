import { CircleAlert, CloudOff, CloudUpload, type LucideIcon, Unplug } from 'lucide-react'
import { formatMoment } from '../lib/time/server-clock.ts'
import type { Trouble } from './connection-health.ts'

const looks: Record<Trouble, { icon: LucideIcon; text: string }> = {
  offline: { icon: CloudOff, text: 'Offline.' },
  'feed-lost': { icon: Unplug, text: 'Live updates are interrupted.' },
  stale: { icon: CircleAlert, text: 'Not up to date.' },
  'off-duty': { icon: CloudUpload, text: 'You are not on duty.' },
  unsent: { icon: CloudUpload, text: 'Sending.' },
  unsaved: { icon: CloudOff, text: '' },
}

interface LiveBarProps {
  /** What is wrong. Null hides the bar. */
  trouble: Trouble | null
  /** When the oldest list on screen was read. Null if there is none. */
  asOf: number | null
  pending?: number
  /** Data exists in this page only, because the phone rejects writes. */
  unsaved?: boolean
}

const changes = (count: number) => `${count} ${count === 1 ? 'change' : 'changes'}`
const pendingText = (pending: number, unsaved: boolean) =>
  unsaved ? ` ${changes(pending)} not sent.` : ` ${changes(pending)} saved on this phone.`
const unsavedText = ' This phone cannot save. Keep this page open.'

/** Connection health, shown while something is wrong. */
export function LiveBar({ trouble, asOf, pending = 0, unsaved = false }: LiveBarProps) {
  const { icon: Icon, text } = looks[trouble ?? 'stale']
  return (
    <div role="status">
      {trouble && (
        <p data-trouble={trouble} className="bg-unknown font-bold text-on-unknown">
          <span className="column flex items-center gap-3 py-2">
            <Icon aria-hidden className="shrink-0" />
            <span>
              <span>
                {[
                  text,
                  pending > 0 && pendingText(pending, unsaved),
                  trouble === 'off-duty' && ' To be sent when you rejoin the event.',
                  unsaved && unsavedText,
                ]
                  .filter(Boolean)
                  .join('')}
              </span>
              {/* Each poll changes the time. Without this, the whole bar would be read out every few seconds. */}
              {asOf !== null && <span aria-live="off">{` List as of ${formatMoment(asOf)}.`}</span>}
            </span>
          </span>
        </p>
      )}
    </div>
  )
}

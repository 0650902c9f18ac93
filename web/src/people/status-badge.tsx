import { attendanceLabel, safetyLabel } from '@evac/contract/vocabulary.ts'
import { type Status, statusLook } from './status-look.ts'

interface StatusBadgeProps {
  status: Status
  /** The floor screens have words of their own ('Safe on floor'). */
  label?: string
}

const isSafety = (status: Status) => status === 'safe' || status === 'danger' || status === 'unknown'
const wordOf = (status: Status) => (isSafety(status) ? safetyLabel(status, false) : attendanceLabel[status])

/** Colour, icon and word together. */
export function StatusBadge({ status, label }: StatusBadgeProps) {
  const { icon: Icon, className } = statusLook[status]
  return (
    <span
      data-status={status}
      className={`inline-flex max-w-full items-center gap-1.5 rounded-full border border-transparent px-3 py-1 leading-tight font-bold ${className}`}
    >
      <Icon aria-hidden size={20} className="shrink-0" />
      {label ?? wordOf(status)}
    </span>
  )
}

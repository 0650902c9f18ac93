import { type Status, statusLook, statusWord } from './status-look.ts'

interface StatusBadgeProps {
  status: Status
  /** The floor screens have words of their own ('Safe on floor'). */
  label?: string
}

/** Colour, icon and word together. */
export function StatusBadge({ status, label }: StatusBadgeProps) {
  const { icon: Icon, className } = statusLook[status]
  return (
    <span
      data-status={status}
      className={`inline-flex max-w-full items-center gap-1.5 rounded-full border border-transparent px-3 py-1 leading-tight font-bold ${className}`}
    >
      <Icon aria-hidden size={20} className="shrink-0" />
      <span>{label ?? statusWord[status]}</span>
    </span>
  )
}

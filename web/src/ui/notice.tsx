import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

const looks = {
  info: { icon: Info, className: 'text-link' },
  warning: { icon: TriangleAlert, className: 'text-warning-ink' },
  danger: { icon: CircleAlert, className: 'text-danger-ink' },
}

interface NoticeProps {
  variant?: keyof typeof looks
  children: ReactNode
}

/** A permanent notice. The quiet surface with a loud icon does not compete with a status. */
export function Notice({ variant = 'info', children }: NoticeProps) {
  const { icon: Icon, className } = looks[variant]
  return (
    <div className="card flex items-start gap-3 font-semibold">
      <Icon aria-hidden className={`shrink-0 ${className}`} />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  )
}

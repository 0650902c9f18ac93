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
    // with doubled text on the smallest phone the icon stands above, or words would break
    <div className="card flex flex-wrap items-start gap-3 font-semibold">
      <Icon aria-hidden className={`shrink-0 ${className}`} />
      <div className="min-w-0 flex-[1_1_8rem]">{children}</div>
    </div>
  )
}

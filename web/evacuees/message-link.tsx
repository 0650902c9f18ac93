import { MessageSquare } from 'lucide-react'
import { Link } from '../ui/link.tsx'

interface MessageLinkProps {
  to: `/message/${'evacuee' | 'warden'}/${string}`
  /** The page that the thread's back arrow leads to. */
  from: string
  name: string
  unread: boolean
}

export function MessageLink({ to, from, name, unread }: MessageLinkProps) {
  const label = unread ? `Message ${name}, unread` : `Message ${name}`
  return (
    <Link
      to={`${to}?from=${encodeURIComponent(from)}`}
      aria-label={label}
      title={label}
      className="btn btn-icon relative"
    >
      <MessageSquare aria-hidden />
      {unread && (
        <span aria-hidden className="absolute -top-1.5 -right-1.5 size-4 rounded-full border-2 border-surface bg-red" />
      )}
    </Link>
  )
}

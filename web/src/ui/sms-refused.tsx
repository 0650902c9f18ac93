import { MessageSquareOff } from 'lucide-react'

/** This phone has answered STOP: texts to it are skipped, so call. */
export function SmsRefused() {
  return (
    <span className="flex items-center gap-1.5 font-bold text-danger-ink">
      <MessageSquareOff aria-hidden size={20} className="shrink-0" />
      SMS refused
    </span>
  )
}

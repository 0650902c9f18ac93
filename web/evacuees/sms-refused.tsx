import { MessageSquareOff } from 'lucide-react'

/** This phone has answered STOP: texts to it are skipped, so call. */
export function SmsRefused() {
  return (
    <span className="flex min-w-0 items-center gap-1.5 font-bold wrap-anywhere text-danger-ink">
      <MessageSquareOff aria-hidden size={20} className="shrink-0" />
      SMS refused
    </span>
  )
}

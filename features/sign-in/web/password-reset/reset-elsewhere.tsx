import { ExternalLink } from 'lucide-react'
import { passwordResetBy } from '#web/session/password-reset-by.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** In place of our own forms where someone else resets passwords; null where this program does. */
export function resetElsewhere() {
  const by = passwordResetBy()
  if (by === 'mail') return null
  if (by === 'administrator')
    return <Notice>Your administrator resets passwords. Please ask them for a new one.</Notice>
  return (
    <>
      <Notice>Passwords are set on another page.</Notice>
      <a href={by} target="_blank" rel="noopener noreferrer" className={buttonClass('blue', true)}>
        Open that page
        <ExternalLink aria-hidden size={18} className="shrink-0" />
      </a>
    </>
  )
}

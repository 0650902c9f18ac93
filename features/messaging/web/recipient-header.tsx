import { type ReactNode, useEffect } from 'react'
import { PhoneLink } from '#web/evacuees/phone-link.tsx'
import { SmsRefused } from '#web/evacuees/sms-refused.tsx'
import { keepInView } from '#web/live/keep-in-view.ts'
import { titleNameStore } from '#web/live/title-name.ts'

interface RecipientHeaderProps {
  name: string
  /** Where they are, or what they do. */
  about: string
  badge: ReactNode
  phone: string | null
  smsRefused: boolean
  /** Beside the phone. */
  actions?: ReactNode
}

/** Who reads what is written below. Stays in view, and gives the page's title its name. */
export function RecipientHeader({ name, about, badge, phone, smsRefused, actions }: RecipientHeaderProps) {
  useEffect(() => {
    titleNameStore.set(name)
    return () => titleNameStore.set('')
  }, [name])
  return (
    <section
      ref={keepInView}
      aria-label="Recipient"
      className="pin-below-bar z-10 -mx-3 -mt-4 flex flex-wrap items-center gap-2 border-b border-hairline bg-canvas px-3 py-2"
    >
      <div className="min-w-0 grow basis-[10rem]">
        <h2 className="text-lg leading-snug font-bold">{name}</h2>
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {badge}
          {smsRefused && <SmsRefused />}
          {about && <p className="leading-snug text-muted">{about}</p>}
        </div>
      </div>
      <div className="ml-auto flex gap-2">
        {actions}
        <PhoneLink name={name} phone={phone} />
      </div>
    </section>
  )
}

import type { ReactNode } from 'react'
import { PhoneLink } from '../../people/phone-link.tsx'
import { SmsRefused } from '../../people/sms-refused.tsx'

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

/** MSG-01, MSG-04: who reads what is written below. */
export function RecipientHeader({ name, about, badge, phone, smsRefused, actions }: RecipientHeaderProps) {
  return (
    <section aria-label="Recipient" className="card flex flex-wrap items-center gap-2">
      <div className="min-w-0 grow basis-[150px]">
        <h2 className="text-lg leading-snug font-bold">{name}</h2>
        {about && <p className="text-muted">{about}</p>}
        <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
          {badge}
          {smsRefused && <SmsRefused />}
        </div>
      </div>
      <div className="flex gap-2">
        {actions}
        <PhoneLink name={name} phone={phone} />
      </div>
    </section>
  )
}

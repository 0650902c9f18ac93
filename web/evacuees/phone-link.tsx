import { Phone } from 'lucide-react'
import { IconButton } from '../ui/icon-button.tsx'

/** Numbers are kept as digits with the country code. */
export function PhoneLink({ name, phone }: { name: string; phone: string | null }) {
  if (!phone) return <IconButton icon={Phone} label={`No phone number for ${name}`} disabled />
  return (
    <a href={`tel:+${phone}`} aria-label={`Call ${name}`} title={`Call ${name}`} className="btn btn-icon">
      <Phone aria-hidden />
    </a>
  )
}

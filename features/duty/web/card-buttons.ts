import { Check, ClipboardList, FileText, LogOut, type LucideIcon, Megaphone, RefreshCw, X } from 'lucide-react'
import { type CardColour, cardColours } from '#kernel/kinds.ts'
import type { ButtonVariant } from '#web/ui/button.tsx'
import type { ReportInCard } from '../calls/report-in.ts'

export type CardAction =
  | 'report-in'
  | 'rejoin'
  | 'not-available'
  | 'review'
  | 'withdraw'
  | 'event-management'
  | 'start-event'
  | 'documents'

export interface CardButton {
  place: 1 | 2 | 3
  label: string
  variant: ButtonVariant
  icon: LucideIcon | undefined
  disabled: boolean
  /** Undefined for a key this app does not know: the button does nothing. */
  action: CardAction | undefined
}

const actions: Record<string, CardAction> = {
  'report in': 'report-in',
  rejoin: 'rejoin',
  'not available': 'not-available',
  'accept-decline assignment': 'review',
  withdraw: 'withdraw',
  'event management': 'event-management',
  'start event': 'start-event',
  documents: 'documents',
}

const plain = (text: string) => text.trim().toLowerCase()

/** By key; for the shared key the label decides. */
export function actionOf(key: string, label: string): CardAction | undefined {
  if (plain(key) === 'report in / rejoin') return plain(label).includes('rejoin') ? 'rejoin' : 'report-in'
  return Object.hasOwn(actions, plain(key)) ? actions[plain(key)] : undefined
}

const variants: Record<CardColour, ButtonVariant> = { Green: 'green', Yellow: 'yellow', Grey: 'grey', Blue: 'blue' }

/** An unknown colour is Grey. */
const variantOf = (colour: string) => variants[cardColours.find((known) => plain(known) === plain(colour)) ?? 'Grey']

const icons: Record<string, LucideIcon> = {
  check: Check,
  refresh: RefreshCw,
  times: X,
  clipboard: ClipboardList,
  'sign-out': LogOut,
  bullhorn: Megaphone,
  file: FileText,
}

/** What is shown of a card's three buttons; an empty label hides one too. */
export function buttonsOf(card: ReportInCard): CardButton[] {
  return ([1, 2, 3] as const)
    .filter((n) => plain(card[`Button${n}_Display`]) !== 'hidden' && card[`Button${n}_Label`].trim() !== '')
    .map((n) => ({
      place: n,
      label: card[`Button${n}_Label`],
      variant: variantOf(card[`Button${n}_Colour`]),
      icon: icons[plain(card[`Button${n}_Icon`])],
      disabled: plain(card[`Button${n}_Display`]) === 'disabled',
      action: actionOf(card[`Button${n}_Key`], card[`Button${n}_Label`]),
    }))
}

import {
  BadgeCheck,
  Building2,
  CalendarClock,
  CalendarDays,
  ClipboardList,
  type LucideIcon,
  MapPin,
  Siren,
} from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { formatDateRange } from '#web/lib/time/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { EventFrame } from '#web/ui/event-frame.tsx'
import { NotRecorded } from '#web/ui/not-recorded.tsx'
import type { ReportInCard } from '../calls/report-in.ts'
import { buttonsOf, type CardButton } from './card-buttons.ts'

const eventHeader = 'Event In Progress'
const headerIcons: Record<string, LucideIcon> = {
  [eventHeader]: Siren,
  'Assignment Offered': ClipboardList,
  'Upcoming Assignment': CalendarClock,
}

interface CardProps {
  card: ReportInCard
  /** Place of the button whose action runs. */
  running: CardButton['place'] | null
  /** Place of the button whose action failed. */
  failed?: CardButton['place'] | null
  onPress: (card: ReportInCard, button: CardButton) => void
}

/** One assignment, in the state the server gives it. */
export function ReportInCardView({ card, running, failed = null, onPress }: CardProps) {
  const id = useId()
  return (
    <EventFrame
      inEvent={card.Header === eventHeader}
      aria-labelledby={`${id}-header ${id}-role`}
      band={<CardHeader id={`${id}-header`} card={card} />}
    >
      <div className="grid grid-cols-1 gap-4 p-4">
        <div className="grid grid-cols-1 gap-2">
          <h2 id={`${id}-role`} className="text-xl leading-tight font-bold">
            {card.Warden_Role}
          </h2>
          <Line icon={MapPin}>{card.Assignment_Location}</Line>
          <Line icon={Building2}>{card.Client_Site}</Line>
          <Line icon={CalendarDays}>{formatDateRange(card.Date_From, card.Date_To)}</Line>
        </div>
        <CardButtons card={card} running={running} onPress={onPress} />
        <NotRecorded shown={buttonsOf(card).some(({ place, action }) => place === failed && records(action))} />
        <p className="text-muted">{card.Footer}</p>
      </div>
    </EventFrame>
  )
}

/** These say where the warden stands; the others only open a page. */
const records = (action: CardButton['action']) =>
  action === 'report-in' || action === 'rejoin' || action === 'not-available'

function CardHeader({ id, card }: { id: string; card: ReportInCard }) {
  const Icon = headerIcons[card.Header] ?? BadgeCheck
  return (
    <>
      <Icon aria-hidden className="shrink-0" />
      <p id={id} className="flex min-w-0 flex-wrap gap-x-2">
        <span>{card.Header}</span>
        {card.Event_Type && <span>({card.Event_Type})</span>}
        {card.Event_Kind === 'drill' && <strong className="drill-badge">DRILL</strong>}
      </p>
    </>
  )
}

function Line({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  if (!children) return null
  return (
    <p className="flex items-start gap-2.5 leading-snug">
      <Icon aria-hidden size={20} className="mt-px shrink-0 text-muted" />
      <span className="min-w-0">{children}</span>
    </p>
  )
}

/** The first, what is most wanted now, is the largest; the others stand side by side where there is room. */
function CardButtons({ card, running, onPress }: CardProps) {
  const [first, ...others] = buttonsOf(card)
  if (!first) return null
  const draw = (button: CardButton, className: string) => (
    <Button
      key={button.place}
      {...(button.icon && { icon: button.icon })}
      variant={button.variant}
      disabled={button.disabled}
      busy={running === button.place}
      className={`disabled:border-dashed disabled:border-current ${className}`}
      onClick={() => onPress(card, button)}
    >
      {button.label}
    </Button>
  )
  return (
    <div className="grid grid-cols-1 gap-2">
      {draw(first, 'min-h-16 text-[clamp(1rem,4.6vw,1.125rem)]')}
      {others.length > 0 && (
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-2">
          {others.map((button) => draw(button, 'min-h-14 px-3'))}
        </div>
      )}
    </div>
  )
}

import { EventName } from '#web/ui/event-name.tsx'
import { NotOnDuty } from '#web/ui/not-on-duty.tsx'

export function NoEvent({ reason }: { reason: string }) {
  return (
    <>
      <EventName event={undefined} />
      <p className="py-8 text-center text-lg text-muted">No Current Events</p>
      <NotOnDuty reason={reason} />
    </>
  )
}

import { EventManagement } from '#features/events/web/event-management.tsx'
import { EventTextsSection } from '#features/events/web/texts/event-texts-section.tsx'
import { OpenActions } from '#features/records/web/open-actions.tsx'
import { PastEventsLink } from '../session/navigation/past-events-link.tsx'

/** The event, what became of its texts, and what earlier ones left. */
export const EventManagementScreen = () => (
  <EventManagement texts={<EventTextsSection />} beforeStart={<OpenActions />} foot={<PastEventsLink />} />
)

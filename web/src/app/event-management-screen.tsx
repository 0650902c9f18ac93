import { EventTextsSection } from '../features/event-texts/event-texts-section.tsx'
import { EventManagement } from '../features/events/event-management.tsx'
import { OpenActions } from '../features/records/open-actions.tsx'
import { PastEventsLink } from '../session/navigation/past-events-link.tsx'

/** The event, what became of its texts, and what earlier ones left. */
export const EventManagementScreen = () => (
  <EventManagement texts={<EventTextsSection />} beforeStart={<OpenActions />} foot={<PastEventsLink />} />
)

import { EventTextsSection } from '../features/event-texts/event-texts-section.tsx'
import { EventManagementScreen } from '../features/events/event-management-screen.tsx'

/** The event, and what became of its texts. */
export const EventPage = () => <EventManagementScreen texts={<EventTextsSection />} />

import { EventTextsSection } from '../features/event-texts/event-texts-section.tsx'
import { EventManagement } from '../features/events/event-management.tsx'

/** The event, and what became of its texts. */
export const EventManagementScreen = () => <EventManagement texts={<EventTextsSection />} />

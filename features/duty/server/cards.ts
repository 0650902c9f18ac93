import type { CardColour } from '#kernel/kinds.ts'
import type { Attendance } from '#kernel/vocabulary.ts'
import type { CardDisplay, ReportInCard } from '../calls/report-in.ts'
import type { Standing } from './assignment-state.queries.ts'

interface CardButton {
  key: (typeof keys)[keyof typeof keys]
  label: string
  colour: CardColour
  display: CardDisplay
  icon: string
}
interface CardFace {
  /** Position in the list: events, offers, current, upcoming. */
  rank: 1 | 2 | 3 | 4
  header: string
  buttons: readonly [CardButton, CardButton, CardButton]
  footer: string
}

const keys = {
  reportIn: 'Report In / Rejoin',
  notAvailable: 'Not Available',
  review: 'Accept-Decline Assignment',
  withdraw: 'Withdraw',
  eventManagement: 'Event Management',
  startEvent: 'Start Event',
  documents: 'Documents',
} as const

const button = (
  key: CardButton['key'],
  label: string,
  colour: CardColour,
  icon: string,
  display: CardDisplay = 'Enabled',
): CardButton => ({ key, label, colour, icon, display })

const reportIn = (display?: CardDisplay) => button(keys.reportIn, 'Report In - Available', 'Green', 'check', display)
const rejoin = button(keys.reportIn, 'Rejoin Event', 'Green', 'refresh')
const notAvailable = (display?: CardDisplay) => button(keys.notAvailable, 'Not Available', 'Yellow', 'times', display)
const withdraw = button(keys.withdraw, 'Withdraw', 'Grey', 'sign-out')
const documents = (colour: CardColour) => button(keys.documents, 'Documents', colour, 'file')
const hidden = (key: CardButton['key']) => button(key, '', 'Grey', '', 'Hidden')

export const isAcceptedNow = (s: Standing) => s.status === 'Accepted' && s.dateFrom <= s.today
export const isInEvent = (s: Standing) => isAcceptedNow(s) && s.signInUid !== null
const isManager = (s: Standing) => s.modules.includes('Event_Management')

/** The state of a card, one of eight. */
function faceOf(s: Standing): CardFace {
  if (isInEvent(s)) return eventFace(s)
  if (s.status === 'Offered') {
    const review = button(keys.review, 'Review to Accept / Decline', 'Blue', 'clipboard')
    const footer = 'Please review and accept or decline this assignment.'
    return {
      rank: 2,
      header: 'Assignment Offered',
      buttons: [review, hidden(keys.withdraw), documents('Grey')],
      footer,
    }
  }
  if (s.dateFrom > s.today) {
    const footer = 'This assignment has not started yet.'
    return {
      rank: 4,
      header: 'Upcoming Assignment',
      buttons: [hidden(keys.reportIn), withdraw, documents('Blue')],
      footer,
    }
  }
  const first = isManager(s) ? button(keys.startEvent, 'Start Event', 'Green', 'bullhorn') : reportIn('Disabled')
  const footer = 'No event in progress at your site.'
  return { rank: 3, header: 'Current Assignment', buttons: [first, withdraw, documents('Blue')], footer }
}

function eventFace(s: Standing): CardFace {
  const third = isManager(s) ? button(keys.eventManagement, 'Event Management', 'Blue', 'bullhorn') : documents('Blue')
  const faces: Record<Attendance, Pick<CardFace, 'buttons' | 'footer'>> = {
    unknown: { buttons: [reportIn(), notAvailable(), third], footer: 'Please report in or report not available.' },
    not_available: {
      buttons: [reportIn(), notAvailable('Disabled'), third],
      footer: 'You reported not available. You can still report in.',
    },
    on_duty: { buttons: [rejoin, hidden(keys.notAvailable), third], footer: 'You are on duty in this event.' },
    off_duty: {
      buttons: [rejoin, notAvailable(), third],
      footer: 'You are off duty. Rejoin if you are available to assist.',
    },
  }
  return { rank: 1, header: 'Event In Progress', ...faces[s.attendance] }
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Card order: rank, then site, role, uid. */
export function inCardOrder(standings: readonly Standing[]): Standing[] {
  return standings
    .map((standing) => ({ standing, rank: faceOf(standing).rank }))
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        byText(a.standing.siteName, b.standing.siteName) ||
        byText(a.standing.roleName, b.standing.roleName) ||
        byText(a.standing.assignmentUid, b.standing.assignmentUid),
    )
    .map(({ standing }) => standing)
}

/** A card in the form of the reply. */
export function presentCard(s: Standing, oauthToken: string): ReportInCard {
  const { header, buttons, footer } = faceOf(s)
  const signInUid = isInEvent(s) ? s.signInUid : null
  const [first, second, third] = buttons
  return {
    Header: header,
    Event_Type: isInEvent(s) ? (s.eventType ?? '') : '',
    Client_Site: `${s.clientName} - ${s.siteName}`,
    Warden_Role: s.roleName,
    Assignment_Location: s.locations.join(', '),
    Date_From: s.dateFrom,
    Date_To: s.dateTo,
    Button1_Key: first.key,
    Button1_Label: first.label,
    Button1_Colour: first.colour,
    Button1_Display: first.display,
    Button1_Icon: first.icon,
    Button2_Key: second.key,
    Button2_Label: second.label,
    Button2_Colour: second.colour,
    Button2_Display: second.display,
    Button2_Icon: second.icon,
    Button3_Key: third.key,
    Button3_Label: third.label,
    Button3_Colour: third.colour,
    Button3_Display: third.display,
    Button3_Icon: third.icon,
    Footer: footer,
    Warden_Assignment_UID: s.assignmentUid,
    Warden_Sign_In_UID: signInUid,
    WardenSignInUID: signInUid,
    Person_UID: s.personUid,
    person_uid: s.personUid,
    oauth_token: oauthToken,
    Event_Kind: isInEvent(s) ? s.eventKind : null,
  }
}

import type { CardDisplay, ReportInCard } from '#features/duty/calls/report-in.ts'
import type { AssignmentUid, PersonUid, SignInUid } from '#kernel/ids.ts'
import type { CardColour } from '#kernel/kinds.ts'
import { someAssignment, somePerson, someSignIn } from './stored-auth.ts'

type Shown = readonly [
  key: string,
  label: string,
  colour: CardColour | string,
  icon: string,
  display?: CardDisplay | string,
]
const hidden = ['', '', 'Grey', '', 'Hidden'] as const

const field = <N extends 1 | 2 | 3>(n: N, [key, label, colour, icon, display = 'Enabled']: Shown) =>
  ({
    [`Button${n}_Key`]: key,
    [`Button${n}_Label`]: label,
    [`Button${n}_Colour`]: colour,
    [`Button${n}_Icon`]: icon,
    [`Button${n}_Display`]: display,
  }) as Pick<ReportInCard, Extract<keyof ReportInCard, `Button${N}_${string}`>>

/** The fifteen button fields of a card. */
export const buttons = (first: Shown = hidden, second: Shown = hidden, third: Shown = hidden) => ({
  ...field(1, first),
  ...field(2, second),
  ...field(3, third),
})

const reportIn = ['Report In / Rejoin', 'Report In - Available', 'Green', 'check'] as const
const rejoin = ['Report In / Rejoin', 'Rejoin Event', 'Green', 'refresh'] as const
const notAvailable = ['Not Available', 'Not Available', 'Yellow', 'times'] as const
const review = ['Accept-Decline Assignment', 'Review to Accept / Decline', 'Blue', 'clipboard'] as const
const withdraw = ['Withdraw', 'Withdraw', 'Grey', 'sign-out'] as const
const management = ['Event Management', 'Event Management', 'Blue', 'bullhorn'] as const
const start = ['Start Event', 'Start Event', 'Green', 'bullhorn'] as const
const documents = ['Documents', 'Documents', 'Blue', 'file'] as const

/** The eight states of a card as the server sends them (AMB-052). */
const faces = {
  offered: {
    Header: 'Assignment Offered',
    Footer: 'Please review and accept or decline this assignment.',
    ...buttons(review, hidden, ['Documents', 'Documents', 'Grey', 'file']),
  },
  unknown: {
    Header: 'Event In Progress',
    Footer: 'Please report in or report not available.',
    ...buttons(reportIn, notAvailable, documents),
  },
  notAvailable: {
    Header: 'Event In Progress',
    Footer: 'You reported not available. You can still report in.',
    ...buttons(reportIn, [...notAvailable, 'Disabled'], documents),
  },
  onDuty: {
    Header: 'Event In Progress',
    Footer: 'You are on duty in this event.',
    ...buttons(rejoin, hidden, management),
  },
  offDuty: {
    Header: 'Event In Progress',
    Footer: 'You are off duty. Rejoin if you are available to assist.',
    ...buttons(rejoin, notAvailable, management),
  },
  currentManager: {
    Header: 'Current Assignment',
    Footer: 'No event in progress at your site.',
    ...buttons(start, withdraw, documents),
  },
  current: {
    Header: 'Current Assignment',
    Footer: 'No event in progress at your site.',
    ...buttons([...reportIn, 'Disabled'], withdraw, documents),
  },
  upcoming: {
    Header: 'Upcoming Assignment',
    Footer: 'This assignment has not started yet.',
    ...buttons(hidden, withdraw, documents),
  },
}
export type CardState = keyof typeof faces
export const cardStates = Object.keys(faces) as CardState[]

/** A floor warden's card in one of the eight states. */
export function reportInCard(state: CardState, overrides: Partial<ReportInCard> = {}): ReportInCard {
  const inEvent = faces[state].Header === 'Event In Progress'
  return {
    Event_Type: inEvent ? 'Fire' : '',
    Client_Site: 'Harbour Property Group - Harbour Quarter',
    Warden_Role: 'Floor Warden',
    Assignment_Location: 'Tower A - Level 3',
    Date_From: '2026-01-01',
    Date_To: '2026-09-05',
    ...faces[state],
    Warden_Assignment_UID: someAssignment,
    Warden_Sign_In_UID: inEvent ? someSignIn : null,
    WardenSignInUID: inEvent ? someSignIn : null,
    Person_UID: somePerson,
    person_uid: somePerson,
    oauth_token: 'card-token-1',
    Event_Kind: inEvent ? 'live' : null,
    ...overrides,
  }
}

/** Uids of a second card. */
export const otherCard = {
  Warden_Assignment_UID: '00000000-0000-4000-8000-00000000b002' as AssignmentUid,
  Warden_Sign_In_UID: '00000000-0000-4000-8000-00000000b001' as SignInUid,
  WardenSignInUID: '00000000-0000-4000-8000-00000000b001' as SignInUid,
  Person_UID: '00000000-0000-4000-8000-00000000b003' as PersonUid,
  person_uid: '00000000-0000-4000-8000-00000000b003' as PersonUid,
  oauth_token: 'card-token-2',
}

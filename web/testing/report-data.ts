import type { ReportData, SignInRecord } from '#features/duty/calls/report-in.ts'
import type { EventTypeUid, EventUid } from '#kernel/ids.ts'
import { someAssignment, someSignIn } from './stored-auth.ts'

const someEvent = '00000000-0000-4000-8000-00000000a004' as EventUid

/** A floor warden's report data while a fire event runs. */
export const reportData = (overrides: Partial<ReportData['data']> = {}): ReportData => ({
  data: {
    role: { Warden_Role: 'Floor Warden', Module_Event_Management: false },
    event: {
      uid: someEvent,
      id: '00000000-0000-4000-8000-00000000a005' as EventTypeUid,
      type: 'Fire',
      description: 'Fire in a building',
    },
    locations: [{ site: 'Harbour Quarter', building: ['Tower A', 'Tower B'] }],
    area: {
      domain: 'Floor',
      locations: [
        { id: 'floor-2', name: 'Tower A - Level 2' },
        { id: 'floor-3', name: 'Tower A - Level 3' },
      ],
    },
    active_event: true,
    chief: null,
    ...overrides,
  },
})

export const withoutEvent = (overrides: Partial<ReportData['data']> = {}) =>
  reportData({ event: null, active_event: false, ...overrides })

/** A warden in the event who has not reported in. */
export const signInRecord = (overrides: Partial<SignInRecord> = {}): SignInRecord => ({
  error: null,
  reported_in: false,
  warden_uid: someAssignment,
  event_uid: someEvent,
  on_duty: false,
  not_available: false,
  WardenSignInUID: someSignIn,
  event_kind: 'live',
  ...overrides,
})

import { expect, test } from 'vitest'
import { reportData, signInRecord, withoutEvent } from '#web/testing/report-data.ts'
import { visibleActions } from './report-buttons.tsx'

const manager = { role: { Warden_Role: 'Chief Warden', Module_Event_Management: true } }
const event = reportData().data
const noEvent = withoutEvent().data
const actions = ['report-in', 'not-available']

const cases = [
  ['REPORT-13 REPORT-14', 'event, not reported in', event, signInRecord(), actions],
  [
    'REPORT-13 REPORT-14',
    'event, not available',
    event,
    signInRecord({ reported_in: true, not_available: true }),
    actions,
  ],
  ['REPORT-13 REPORT-14', 'event, on duty', event, signInRecord({ reported_in: true, on_duty: true }), []],
  ['REPORT-13 REPORT-14', 'event, off duty again', event, signInRecord({ reported_in: true }), actions],
  ['REPORT-15', 'event, manager', reportData(manager).data, signInRecord(), [...actions, 'manage-event']],
  ['REPORT-15', 'event, manager on duty', reportData(manager).data, signInRecord({ on_duty: true }), ['manage-event']],
  [
    'REPORT-15 REPORT-16',
    'no event, manager',
    withoutEvent(manager).data,
    signInRecord(),
    ['manage-event', 'sign-out'],
  ],
  ['REPORT-16', 'no event', noEvent, signInRecord(), ['sign-out']],
  ['REPORT-16', 'no event, reported in', noEvent, signInRecord({ reported_in: true }), []],
  ['REPORT-16', 'no event, on duty', noEvent, signInRecord({ on_duty: true }), []],
  ['REPORT-16', 'no event, not available', noEvent, signInRecord({ not_available: true }), []],
  ['AMB-061', 'the sign-in log has not answered', event, undefined, []],
] as const
test.each(cases)('%s %s', (_, __, report, record, visible) => {
  expect(visibleActions(report, record)).toEqual(visible)
})

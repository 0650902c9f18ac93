import { expect, test } from 'vitest'
import { buttons, reportInCard } from '#web/testing/report-in-cards.ts'
import { actionOf, buttonsOf } from './card-buttons.ts'

const keys = [
  ['Report In / Rejoin', 'Report In - Available', 'report-in'],
  ['report in / rejoin', 'REJOIN event', 'rejoin'],
  [' REPORT IN ', 'Report In', 'report-in'],
  ['Rejoin', 'Back to work', 'rejoin'],
  ['not available', 'Not Available', 'not-available'],
  ['Accept-Decline Assignment', 'Review to Accept / Decline', 'review'],
  ['WITHDRAW', 'Withdraw', 'withdraw'],
  ['Event Management', 'Event Management', 'event-management'],
  ['start event', 'Start Event', 'start-event'],
  ['Documents', 'Rejoin Event', 'documents'],
  ['Something New', 'Rejoin Event', undefined],
  ['constructor', '', undefined],
] as const
test.each(keys)('LIST-18 key "%s" with label "%s" does %s', (key, label, action) => {
  expect(actionOf(key, label)).toBe(action)
})

test('LIST-15 a hidden button, and one without a label, is not shown (AMB-054)', () => {
  const card = reportInCard(
    'unknown',
    buttons(['Withdraw', 'Withdraw', 'Grey', '', 'HIDDEN'], ['Documents', ' ', 'Blue', 'file']),
  )
  expect(buttonsOf(card)).toEqual([])
})

test('LIST-13 LIST-14 an unknown colour is grey, and an unknown icon draws none (AMB-054)', () => {
  const [button] = buttonsOf(reportInCard('unknown', buttons(['Documents', 'Documents', 'Mauve', 'unicorn'])))
  expect(button).toMatchObject({ variant: 'grey', icon: undefined })
})

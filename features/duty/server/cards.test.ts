import { expect } from 'vitest'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import type { AssignmentOver } from '#server/testing/given-wardens.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { getRole, listReportInCards, type ReportInCard, reportIn, reportNotAvailable } from '../calls/report-in.ts'

type Standing = 'unknown' | 'not available' | 'on duty' | 'off duty'
interface Case {
  who: AssignmentOver
  /** Where the warden stands in the running event; without one there is none. */
  event?: Standing
  header: string
  /** Key, label, colour and display of each button. */
  buttons: [string, string, string]
  footer: string
}

const reportIns = 'Report In / Rejoin|Report In - Available|Green'
const rejoins = 'Report In / Rejoin|Rejoin Event|Green|Enabled'
const notAvailable = 'Not Available|Not Available|Yellow'
const withdraw = 'Withdraw|Withdraw|Grey|Enabled'
const documents = 'Documents|Documents|Blue|Enabled'
const management = 'Event Management|Event Management|Blue|Enabled'
const chief = { role: 'Chief Warden' } as const
const noEvent = 'No event in progress at your site.'

/** The table of AMB-052, row by row. */
const table: Record<string, Case> = {
  '1 offered': {
    who: { status: 'Offered' },
    header: 'Assignment Offered',
    buttons: [
      'Accept-Decline Assignment|Review to Accept / Decline|Blue|Enabled',
      'Withdraw||Grey|Hidden',
      'Documents|Documents|Grey|Enabled',
    ],
    footer: 'Please review and accept or decline this assignment.',
  },
  '2 event, unknown': {
    who: {},
    event: 'unknown',
    header: 'Event In Progress',
    buttons: [`${reportIns}|Enabled`, `${notAvailable}|Enabled`, documents],
    footer: 'Please report in or report not available.',
  },
  '2 event, unknown, event manager': {
    who: chief,
    event: 'unknown',
    header: 'Event In Progress',
    buttons: [`${reportIns}|Enabled`, `${notAvailable}|Enabled`, management],
    footer: 'Please report in or report not available.',
  },
  '3 event, not available': {
    who: {},
    event: 'not available',
    header: 'Event In Progress',
    buttons: [`${reportIns}|Enabled`, `${notAvailable}|Disabled`, documents],
    footer: 'You reported not available. You can still report in.',
  },
  '4 event, on duty': {
    who: {},
    event: 'on duty',
    header: 'Event In Progress',
    buttons: [rejoins, 'Not Available||Grey|Hidden', documents],
    footer: 'You are on duty in this event.',
  },
  '5 event, off duty': {
    who: {},
    event: 'off duty',
    header: 'Event In Progress',
    buttons: [rejoins, `${notAvailable}|Enabled`, documents],
    footer: 'You are off duty. Rejoin if you are available to assist.',
  },
  '6 no event, event manager': {
    who: chief,
    header: 'Current Assignment',
    buttons: ['Start Event|Start Event|Green|Enabled', withdraw, documents],
    footer: noEvent,
  },
  '7 no event': {
    who: {},
    header: 'Current Assignment',
    buttons: [`${reportIns}|Disabled`, withdraw, documents],
    footer: noEvent,
  },
  '8 begins in the future': {
    who: { dateFrom: '2099-01-01' },
    header: 'Upcoming Assignment',
    buttons: ['Report In / Rejoin||Grey|Hidden', withdraw, documents],
    footer: 'This assignment has not started yet.',
  },
}

test.for(Object.entries(table))('LIST-37 card of row %s', async ([, row], { server }) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org, row.who)
  if (row.event) await server.runningEvent(org)
  if (row.event) await stand(server, warden, row.event)

  const cards = await cardsOf(server, warden)

  expect(cards).toHaveLength(1)
  const [card] = cards as [ReportInCard]
  expect(card).toMatchObject({ Header: row.header, Footer: row.footer, Event_Type: row.event ? 'Fire' : '' })
  expect(buttonsOf(card)).toEqual(row.buttons)
  expect(card.Warden_Sign_In_UID === null).toBe(row.event === undefined)
})

test('LIST-37 an offered or future assignment has no event card while an event runs', async ({ server }) => {
  const org = await server.given.organisation()
  const offered = await server.given.warden(org, { status: 'Offered', role: 'Chief Warden' })
  const future = await server.given.warden(org, { dateFrom: '2099-01-01', role: 'Chief Warden' })
  await server.runningEvent(org)

  const [[first], [second]] = [await cardsOf(server, offered), await cardsOf(server, future)]

  const bare = { Event_Type: '', Warden_Sign_In_UID: null, WardenSignInUID: null }
  expect(first).toMatchObject({ Header: 'Assignment Offered', ...bare })
  expect(second).toMatchObject({ Header: 'Upcoming Assignment', ...bare })
})

test('LIST-37 a warden whose building is not in the event has no event card', async ({ server }) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org, { floorUid: org.otherFloorUid })
  await server.runningEvent(org, { buildings: [org.buildingUid] })

  const [card] = await cardsOf(server, warden)

  expect(card).toMatchObject({ Header: 'Current Assignment', Event_Type: '', Warden_Sign_In_UID: null })
})

test.for([
  ['declined', { status: 'Declined' }],
  ['withdrawn', { status: 'Withdrawn' }],
  ['lapsed', { dateTo: '2020-12-31' }],
] as const)('LIST-40 a %s assignment has no card, not even in an event', async ([, over], { server }) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org, over)
  await server.runningEvent(org)

  expect(await cardsOf(server, warden)).toEqual([])
})

test('LIST-28 API-14 each of the three buttons of a card has key, label, colour, display and icon', async ({
  server,
}) => {
  const warden = await server.given.warden(await server.given.organisation())

  const [card] = await cardsOf(server, warden)

  const fields = Object.entries(card as ReportInCard).filter(([name]) => name.startsWith('Button'))
  expect(fields).toEqual([
    ['Button1_Key', 'Report In / Rejoin'],
    ['Button1_Label', 'Report In - Available'],
    ['Button1_Colour', 'Green'],
    ['Button1_Display', 'Disabled'],
    ['Button1_Icon', 'check'],
    ['Button2_Key', 'Withdraw'],
    ['Button2_Label', 'Withdraw'],
    ['Button2_Colour', 'Grey'],
    ['Button2_Display', 'Enabled'],
    ['Button2_Icon', 'sign-out'],
    ['Button3_Key', 'Documents'],
    ['Button3_Label', 'Documents'],
    ['Button3_Colour', 'Blue'],
    ['Button3_Display', 'Enabled'],
    ['Button3_Icon', 'file'],
  ])
})

test('LIST-27 LIST-29 a card says who, where and when, and names its ids under both spellings', async ({ server }) => {
  const org = await server.given.organisation({ name: 'Harbour Group', siteName: 'Quay' })
  const warden = await server.given.warden(org, { dateFrom: '2026-01-31', dateTo: '2098-12-01' })
  const place = { clientUid: org.clientUid, assignmentUid: warden.assignmentUid, floorUid: org.floors[1] }
  await server.db.insertInto('assignmentLocation').values(place).execute()
  const { eventUid } = await server.runningEvent(org)

  const [card] = await cardsOf(server, warden)

  const signIn = await server.signInOf(eventUid, warden)
  expect(card).toMatchObject({
    Client_Site: 'Harbour Group - Quay',
    Warden_Role: 'Floor Warden',
    Assignment_Location: 'Tower A - Ground, Tower A - Level 1',
    Date_From: '2026-01-31',
    Date_To: '2098-12-01',
    Warden_Assignment_UID: warden.assignmentUid,
    Warden_Sign_In_UID: signIn?.uid,
    WardenSignInUID: signIn?.uid,
    Person_UID: warden.personUid,
    person_uid: warden.personUid,
    oauth_token: expect.stringMatching(/^[\w-]{43}$/),
  })
})

test('LIST-39 ROLE-07 areas of one level stand by name, each time and everywhere', async ({ server }) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const call = await server.as(warden)
  for (const name of ['Level 9 West', 'Level 9 East', 'Level 9 North']) {
    const floorUid = await server.given.floor(org, name, 9)
    const place = { clientUid: org.clientUid, assignmentUid: warden.assignmentUid, floorUid }
    await server.db.insertInto('assignmentLocation').values(place).execute()
  }

  const [card] = await cardsOf(server, warden)
  const { area } = (await call(getRole, {})).data

  const areas = ['Ground', 'Level 9 East', 'Level 9 North', 'Level 9 West'].map((name) => `Tower A - ${name}`)
  expect(card?.Assignment_Location).toBe(areas.join(', '))
  expect(area.locations.map(({ name }) => name)).toEqual(areas)
})

test('LIST-01 LIST-37 API-14 events first, then offers, then current by site and role, then upcoming; of every organisation', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const [alpha, beta] = [
    await server.given.site(org, { name: 'Alpha' }),
    await server.given.site(org, { name: 'Beta' }),
  ]
  const warden = await server.given.warden(org)
  const elsewhere = await server.given.warden(await server.given.organisation({ siteName: 'Gamma' }), {
    accountUid: warden.accountUid,
    status: 'Offered',
  })
  const { assignment } = server.given
  const expected = [
    warden.assignmentUid,
    await assignment(warden, beta, { status: 'Offered' }),
    elsewhere.assignmentUid,
    await assignment(warden, alpha, { role: 'Chief Warden' }),
    await assignment(warden, alpha, { role: 'Floor Warden' }),
    await assignment(warden, beta, { role: 'Building Warden' }),
    await assignment(warden, alpha, { role: 'Building Warden', dateFrom: '2099-01-01' }),
  ]
  await server.runningEvent(org)

  const cards = await cardsOf(server, warden)

  expect(cards.map((card) => card.Warden_Assignment_UID)).toEqual(expected)
})

async function cardsOf(server: TestServer, warden: Parameters<TestServer['as']>[0]): Promise<ReportInCard[]> {
  return (await server.as(warden))(listReportInCards, { query: { signInMethod: 'Email' } })
}

async function stand(server: TestServer, warden: Parameters<TestServer['as']>[0], standing: Standing) {
  const call = await server.as(warden)
  if (standing === 'not available') await call(reportNotAvailable, {})
  if (standing === 'on duty' || standing === 'off duty') await call(reportIn, {})
  if (standing === 'off duty') await call(logout, {})
}

const buttonsOf = (card: ReportInCard) => [
  [card.Button1_Key, card.Button1_Label, card.Button1_Colour, card.Button1_Display].join('|'),
  [card.Button2_Key, card.Button2_Label, card.Button2_Colour, card.Button2_Display].join('|'),
  [card.Button3_Key, card.Button3_Label, card.Button3_Colour, card.Button3_Display].join('|'),
]

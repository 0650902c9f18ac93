import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { getBrief } from '#features/events/calls/brief.ts'
import type { BuildingUid, FloorOfferUid, FloorUid, SignInUid } from '#kernel/ids.ts'
import { expectNoAxeViolations, expectNoAxeViolationsInAnySize } from '#web/testing/axe.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { flags } from '#web/testing/stored-auth.ts'
import {
  type Coverage,
  claimFloor,
  getFloorCoverage,
  giveBackFloor,
  listFloorCandidates,
  offerFloor,
} from '../calls/coverage.ts'
import { CoverageNotices } from './coverage-notices.tsx'
import { CoverageScreen } from './coverage-screen.tsx'

const server = serverForEachTest()

const uid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const tower = { id: uid(1) as BuildingUid, name: 'Tower A' }
const level = (n: number) => ({
  id: uid(100 + n) as FloorUid,
  name: `Level ${n}`,
  building: tower,
  whole_building: false,
})
const since = new Date().toISOString()
const gap = (n: number, over = {}) => ({
  ...level(n),
  since,
  overdue: false,
  own_building: true,
  asked: null,
  asked_before: null,
  ...over,
})
const claim = { ...level(4), since, own_warden: null }
const coverage = (over: Partial<Coverage> = {}): Coverage => ({
  gaps: [gap(11), gap(10)],
  claims: [],
  floors_named: true,
  ...over,
})
const button = (name: string | RegExp) => page.getByRole('button', { name })

test('COV-10 COV-26 gaps with icon and word; one tap takes a floor, and it stands among the own with Give back', async () => {
  server.answer(
    getFloorCoverage,
    coverage({ gaps: [gap(11), gap(10, { asked: { name: 'Kim Lee', seconds_ago: 4 } })] }),
  )
  await renderScreen(<CoverageScreen />, { at: '/event/coverage' })

  await expect.element(page.getByRole('heading', { name: 'Level 11' })).toBeVisible()
  await expect.element(page.getByText('No warden')).toBeVisible()
  await expect.element(page.getByText('Asked', { exact: true })).toBeVisible()
  await expectNoAxeViolationsInAnySize()
  server.answer(claimFloor, { claim })
  server.answer(getFloorCoverage, coverage({ claims: [claim] }))
  await button(/Take this floor.*Level 11/).click()

  await expect.element(page.getByText('You have taken Level 11.')).toBeVisible()
  await expect.element(page.getByText('Covered')).toBeVisible()
  expect(server.received(claimFloor)[0]?.input.body).toEqual({ floorId: level(11).id })
  server.answer(giveBackFloor, { claim: null })
  server.answer(getFloorCoverage, coverage({ gaps: [] }))
  await button(/^Give back/).click()
  await expect.element(page.getByText('Given back.')).toBeVisible()
  await expect.element(page.getByText('Every floor has a warden.')).toBeVisible()
})

test('COV-11 COV-26 who comes second reads the name; a site without named floors says so', async () => {
  server.answer(getFloorCoverage, coverage())
  await renderScreen(<CoverageScreen />, { at: '/event/coverage' })
  server.answer(claimFloor, refused('floor_taken', 'Kim Lee has just taken it. Thank you.'))
  server.answer(getFloorCoverage, coverage({ gaps: [], floors_named: false }))
  await button(/Take this floor.*Level 10/).click()

  await expect.element(page.getByText('Kim Lee has just taken it. Thank you.')).toBeVisible()
  await expect.element(page.getByText('No floor has a warden of its own.')).toBeVisible()
})

test('COV-05 COV-08 COV-15 candidates with their reasons can be asked; who is not on duty is sent a link', async () => {
  server.answer(getFloorCoverage, coverage())
  server.answer(listFloorCandidates, {
    candidates: [
      {
        wardenSignInUid: uid(21) as SignInUid,
        name: 'Kim Lee',
        reason: 'Level 12, cleared, 1 floor away',
        phone: '61400000001',
      },
    ],
    others: [
      { wardenSignInUid: uid(22) as SignInUid, name: 'Ada Roe', role: 'Floor Warden', status: 'Off duty', phone: null },
    ],
  })
  server.answer(offerFloor, { offer: { id: uid(9) as FloorOfferUid, name: 'Kim Lee' } })
  await renderScreen(<CoverageScreen />, { at: '/event/coverage' })
  await button(/^Ask.*someone to take Level 11/).click()

  await expect.element(page.getByText('Level 12, cleared, 1 floor away')).toBeVisible()
  await expect.element(page.getByText('Off duty, Floor Warden')).toBeVisible()
  await expect.element(button(/Send report-in link.*to Ada Roe/)).toBeVisible()
  await expectNoAxeViolations()
  await button(/^Ask.*Kim Lee/).click()

  await expect.element(page.getByText('Kim Lee has been asked.').first()).toBeVisible()
  expect(server.received(offerFloor)[0]?.input.body).toEqual({ floorId: level(11).id, wardenSignInUid: uid(21) })
})

test('COV-08 after 60 s the sheet and the list say who has not answered, and the next one is asked with one tap', async () => {
  const candidate = (n: number, name: string) => ({
    wardenSignInUid: uid(n) as SignInUid,
    name,
    reason: 'Building Warden',
    phone: null,
  })
  server.answer(listFloorCandidates, { candidates: [candidate(21, 'Kim Lee'), candidate(22, 'Ada Roe')], others: [] })
  server.answer(getFloorCoverage, coverage({ gaps: [gap(11)] }))
  server.answer(offerFloor, { offer: { id: uid(9) as FloorOfferUid, name: 'Kim Lee' } })
  await renderScreen(<CoverageScreen />, { at: '/event/coverage' })
  await button(/^Ask.*someone to take Level 11/).click()
  const asked = { name: 'Kim Lee', seconds_ago: 59 }
  server.answer(getFloorCoverage, coverage({ gaps: [gap(11, { asked })] }))
  await button(/^Ask.*Kim Lee/).click()
  await expect.element(page.getByRole('dialog').getByText('Kim Lee has been asked.')).toBeVisible()

  const lapsed = { asked_before: { name: 'Kim Lee', said_no: false } }
  server.answer(getFloorCoverage, coverage({ gaps: [gap(11, lapsed)] }))
  const sheet = page.getByRole('dialog')
  await expect.element(sheet.getByText('No answer from Kim Lee. Ask the next?')).toBeVisible()
  const looks = () => ['Kim Lee', 'Ada Roe'].map((name) => button(`Ask ${name}`).element().getAttribute('data-variant'))
  expect(looks()).toEqual(['outline', 'blue'])
  await expectNoAxeViolations()

  server.answer(getFloorCoverage, coverage({ gaps: [gap(11, { asked_before: { name: 'Ada Roe', said_no: true } })] }))
  await button('Ask Ada Roe').click()
  await expect.element(sheet.getByText('Ada Roe cannot take it. Ask the next?')).toBeVisible()
  server.answer(getFloorCoverage, coverage({ gaps: [] }))
  await button('Ask Kim Lee').click()
  await expect.element(sheet.getByText('Level 11 has a warden now, or has left the event.')).toBeVisible()
  expect(sheet.getByRole('button', { name: /^Ask/ }).elements()).toEqual([])
})

test('COV-08 who cannot ask is not told whom others have asked in vain', async () => {
  server.answer(getFloorCoverage, coverage({ gaps: [gap(11, { asked_before: { name: 'Kim Lee', said_no: false } })] }))
  await renderScreen(<CoverageScreen />, {
    at: '/event/coverage',
    auth: { module_access: flags('Module_Floor_Evacuation') },
  })
  await expect.element(page.getByRole('heading', { name: 'Level 11' })).toBeVisible()
  expect(page.getByText('Kim Lee').elements()).toEqual([])
})

test('COV-06 COV-13 below the header managers read of overdue gaps, and a claimant that the own warden has come', async () => {
  server.answer(getBrief, {
    command: null,
    instruction: null,
    offer: null,
    claims: [{ ...claim, own_warden: 'Ada Roe' }],
    gaps: { count: 4, minutes: 3 },
  })
  const { unmount } = await renderScreen(<CoverageNotices />, { at: '/floor/evacuation' })

  await expect.element(page.getByText('4 floors have had no warden for over 3 minutes.')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'See who can take them' }))
    .toHaveAttribute('href', '/event/coverage')
  await expect.element(page.getByText('Ada Roe is now on Level 4.')).toBeVisible()
  await expectNoAxeViolations()
  await button('Stay').click()
  await button('Close').click()
  await expect.element(page.getByText('Ada Roe is now on Level 4.')).not.toBeInTheDocument()
  await expect.element(page.getByText(/no warden for over/)).not.toBeInTheDocument()

  // the board has another bar: on the way back both stay closed
  await unmount()
  const { queryClient } = await renderScreen(<CoverageNotices />, { at: '/floor/evacuation' })
  await expect.poll(() => queryClient.getQueriesData({}).length).toBeGreaterThan(0)
  await queryClient.refetchQueries()
  expect(page.getByText(/Ada Roe is now on|no warden for over/).elements()).toEqual([])
})

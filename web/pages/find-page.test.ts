import { expect, test } from 'vitest'
import { backTarget, findPage, hasSharedHeader, isRealtimePage, readFrom, readParameters } from './find-page.ts'
import { type PagePath, type PageRow, pages } from './pages.ts'

const titleOf = (pathname: string) => findPage(pathname)?.title
const rowOf = (path: PagePath) => pages.find((page) => page.path === path) as PageRow

test.each([
  ['ROUTE-02', '/login', 'Login', 'guest'],
  ['AMB-028', '/forgot-password', 'Forgot Password', 'guest'],
  ['AMB-028', '/reset-password', 'New Password', 'guest'],
  ['ROUTE-04', '/reportinlist', 'Report In List', 'signed-in'],
  ['ROUTE-05', '/reportin', 'Report In', 'signed-in'],
  ['ROUTE-06', '/warden-assignment/a1', 'Accept / Decline Warden Assignment', 'stored-auth'],
  ['ROUTE-08', '/withdraw/a1', 'Withdraw from Warden Assignment', 'stored-auth'],
  ['ROUTE-10', '/documents/a1', 'Documents', 'stored-auth'],
  ['ROUTE-12', '/event/management', 'Event Management', 'Module_Event_Management'],
  ['ROUTE-13', '/floor/warden/status', 'Floor Warden Status', 'Module_Floor_Warden_Status'],
  ['ROUTE-14', '/warden/onduty', 'Wardens On duty', 'Module_Wardens_On_Duty'],
  ['ROUTE-15', '/floor/evacuation', 'Floor Evacuation', 'Module_Floor_Evacuation'],
  ['ROUTE-16', '/building/status', 'Evacuation Status', 'Module_Building_Evacuation_Status'],
  ['ROUTE-17', '/evacuee/safety', 'Evacuee Safety', 'Module_Evacuee_Safety'],
  ['ROUTE-18', '/floor/evacstatus', 'Floor Evac. Status', 'Module_Floor_Evacuation_Status'],
  ['ROUTE-19', '/message/evacuee/e1', 'Evacuee Messaging', 'Module_My_Messages'],
  ['ROUTE-20', '/message/evacueegroup', 'Evacuee Messaging', 'Module_My_Messages'],
  ['ROUTE-21', '/message/warden/w1', 'Warden Messaging', 'Module_Warden_Messaging'],
  ['ROUTE-22', '/message/group', 'Warden Messages', 'Module_Warden_Messaging'],
  ['ROUTE-23', '/message/all', 'Warden Messaging', 'Module_Warden_Messaging'],
  ['ROUTE-24', '/me/role', 'My Role', 'signed-in'],
  ['AAR-36', '/event/records', 'Past Events', 'Module_Event_Records'],
  ['AAR-33', '/event/records/actions', 'Corrective Actions', 'Module_Event_Records'],
  ['AAR-08', '/event/records/e1', 'Event Record', 'Module_Event_Records'],
  ['AAR-10', '/event/records/e1/timeline', 'Timeline', 'Module_Event_Records'],
  ['RPL-01', '/event/records/e1/replay', 'Replay', 'Module_Event_Records'],
])('%s %s has the title %s and is for %s', (_, path, title, access) => {
  expect(titleOf(path)).toBe(title)
  expect(findPage(path)?.access).toBe(access)
})

test('ROUTE-25 /me/messages has a title and nothing else', () => {
  expect(titleOf('/me/messages')).toBe('My Messages')
  expect(findPage('/me/messages')?.access).toBe('title-only')
})

const misses = [
  '/login/x',
  '/documents/a/b',
  '/documents',
  '/documents/',
  '/Login',
  '/me',
  '//login',
  '/reportin//',
  '/',
]
test.each(misses)('ROUTE-26 %s is no route', (path) => {
  expect(findPage(path)).toBeUndefined()
})

test('AMB-004 one trailing slash is tolerated', () => {
  expect(titleOf('/reportin/')).toBe('Report In')
  expect(titleOf('/documents/a1/')).toBe('Documents')
})

test('SHELL-05 a parameter matches any one segment, whatever it holds', () => {
  expect(titleOf('/message/warden/a%2Fb')).toBe('Warden Messaging')
})

test.each([
  ['SHELL-01', '/reportinlist', false],
  ['SHELL-02', '/warden-assignment/a1', false],
  ['SHELL-03', '/withdraw/a1', false],
  ['SHELL-01', '/reportin', true],
  ['SHELL-04', '/documents/a1', true],
])('%s the shared header on %s: %s', (_, path, shown) => {
  expect(hasSharedHeader(findPage(path) as PageRow)).toBe(shown)
})

const realtime: [string, boolean][] = [
  ['/reportinlist', false],
  ['/warden-assignment/a1', false],
  ['/withdraw/a1', false],
  ['/login', false],
  ['/me/messages', false],
  ['/nowhere', false],
  ['/reportin', true],
  ['/documents/a1', true],
  ['/floor/evacuation', true],
]
test.each(realtime)('RT-09 real-time on %s: %s', (path, wanted) => {
  expect(isRealtimePage(path)).toBe(wanted)
})

const from: [string, string | undefined][] = [
  ['?from=%2Fevacuee%2Fsafety', '/evacuee/safety'],
  ['?from=%2Fmessage%2Fall%3Fview%3Dinbox', '/message/all?view=inbox'],
  ['?from=%2F%2Fevil.example%2Flogin', undefined],
  ['?from=https%3A%2F%2Fevil.example', undefined],
  ['?from=%2Fnowhere', undefined],
  ['?from=%2Fme%2Fmessages', undefined],
  ['', undefined],
]
test.each(from)('ROUTE-31 from %s is read as %s', (search, wanted) => {
  expect(readFrom(search)).toBe(wanted)
})

const back: [PagePath, string, string][] = [
  ['/reportin', '', '/reportinlist'],
  ['/documents/{wardenAssignmentUID}', '', '/reportinlist'],
  ['/me/role', '', '/reportinlist'],
  ['/event/management', '', '/reportinlist'],
  ['/floor/evacuation', '', '/me/role'],
  ['/message/evacueegroup', '', '/evacuee/safety'],
  ['/message/group', '?from=%2Fme%2Frole', '/message/all'],
  ['/message/warden/{wardenId}', '', '/message/all'],
  ['/message/warden/{wardenId}', '?from=%2Fwarden%2Fonduty', '/warden/onduty'],
  ['/message/evacuee/{evacueeId}', '?from=%2Fnowhere', '/evacuee/safety'],
]
test.each(back)('ROUTE-31 back from %s%s leads to %s', (path, search, wanted) => {
  expect(backTarget(rowOf(path), search)).toBe(wanted)
})

test('ROUTE-06 ROUTE-19 the address says which assignment or person a page is about', () => {
  expect(readParameters('/warden-assignment/a1')).toEqual({ wardenAssignmentUID: 'a1' })
  expect(readParameters('/message/evacuee/e1/')).toEqual({ evacueeId: 'e1' })
  expect(readParameters('/me/role')).toEqual({})
  expect(readParameters('/nowhere/e1')).toEqual({})
})

// biome-ignore-all lint/style/noExcessiveLinesPerFile: one table, a row for each page
import type { ModuleFlag } from '#kernel/vocabulary.ts'

/**
 * Who may open a page: no one signed in, anyone, anyone signed in, the same by way of /reportinlist, who is on
 * duty or reads records, or a module flag.
 */
type OpenAccess = 'guest' | 'link' | 'signed-in' | 'stored-auth' | 'observer' | ModuleFlag
/** `title-only`: a title without a page. */
export type Access = OpenAccess | 'title-only'

export type MenuSection = 'evacuee management' | 'evacuation status' | 'warden activities' | 'records'

interface Row {
  /** `{name}` matches any one segment. */
  path: `/${string}`
  title: string
  /** Entry of the menu, letter for letter, case included. */
  menu?: { section: MenuSection; text: string }
  /** The menu stays away. */
  withoutMenu?: true
  /**
   * The page draws its own bar, and real-time is off. `live`: real-time is on, and the page has the
   * whole width, its menu in a drawer.
   */
  bar?: 'own' | 'live'
  /** Where the back arrow leads; without it to My Role. */
  back?: {
    to: `/${string}`
    /** The address may name another page, `?from=`. */
    orFrom?: true
    /** To the page before, where there is one. */
    orPrevious?: true
    /** No arrow while an event runs. */
    hiddenInEvent?: true
  }
  /** A thread: where there is room it stands beside the list that back leads to. */
  besideList?: true
  /** What is unread leads here, to the address with this query. */
  unread?: { from: 'wardens' | 'evacuees'; search: `?${string}` }
  /** The page itself shows the safety records that the server rejected. */
  showsRecords?: true
}
type Rows = readonly (Row &
  ({ access: OpenAccess; screen: `${string}-screen` } | { access: 'title-only'; screen?: never }))[]

/**
 * The page table. One row says all there is to know of a page: guards, header, menu, prefetch, boot.js and the
 * files of the build read it. `screen` is its file, which exports the component of the same name. The menu keeps
 * the order of the rows.
 */
const rows = [
  { path: '/login', title: 'Login', access: 'guest', screen: 'features/sign-in/web/login-screen' },
  {
    path: '/forgot-password',
    title: 'Forgot Password',
    access: 'guest',
    screen: 'features/sign-in/web/password-reset/forgot-password-screen',
  },
  {
    path: '/reset-password',
    title: 'New Password',
    access: 'guest',
    screen: 'features/sign-in/web/password-reset/reset-password-screen',
  },
  {
    path: '/reportinlist',
    title: 'Report In List',
    access: 'signed-in',
    screen: 'features/duty/web/report-in-list-screen',
    bar: 'own',
  },
  {
    path: '/reportin',
    title: 'Report In',
    access: 'signed-in',
    screen: 'features/duty/web/report-in-screen',
    back: { to: '/reportinlist' },
  },
  {
    path: '/warden-assignment/{wardenAssignmentUID}',
    title: 'Accept / Decline Warden Assignment',
    access: 'stored-auth',
    screen: 'features/assignments/web/warden-assignment-screen',
    bar: 'own',
  },
  {
    path: '/withdraw/{wardenAssignmentUID}',
    title: 'Withdraw from Warden Assignment',
    access: 'stored-auth',
    screen: 'features/assignments/web/withdraw-screen',
    bar: 'own',
  },
  {
    path: '/documents/{wardenAssignmentUID}',
    title: 'Documents',
    access: 'stored-auth',
    screen: 'features/assignments/web/documents-screen',
    withoutMenu: true,
    back: { to: '/reportinlist' },
  },
  {
    path: '/floor/evacuation',
    title: 'Floor Evacuation',
    access: 'Module_Floor_Evacuation',
    screen: 'features/evacuation/web/floor-evacuation-screen',
    menu: { section: 'evacuee management', text: 'floor evacuation' },
    showsRecords: true,
  },
  {
    path: '/evacuee/safety',
    title: 'Evacuee Safety',
    access: 'Module_Evacuee_Safety',
    screen: 'features/evacuation/web/safety/safety-screen',
    menu: { section: 'evacuee management', text: 'evacuee safety' },
    unread: { from: 'evacuees', search: '?message=unread' },
    showsRecords: true,
  },
  {
    path: '/floor/evacstatus',
    title: 'Floor Evac. Status',
    access: 'Module_Floor_Evacuation_Status',
    screen: 'features/evacuation/web/overview-screen',
    menu: { section: 'evacuation status', text: 'floor evacuation status' },
    showsRecords: true,
  },
  {
    path: '/building/status',
    title: 'Evacuation Status',
    access: 'Module_Building_Evacuation_Status',
    screen: 'features/evacuation/web/building-safety/building-safety-screen',
    menu: { section: 'evacuation status', text: 'Evacuation Status' },
  },
  {
    path: '/event/people',
    title: 'Accounting',
    access: 'Module_Evacuee_Safety',
    screen: 'features/accounting/web/accounting-screen',
    back: { to: '/event/board' },
    showsRecords: true,
  },
  {
    path: '/event/board',
    title: 'Command Board',
    access: 'Module_Building_Evacuation_Status',
    screen: 'features/board/web/board-screen',
    menu: { section: 'evacuation status', text: 'Command Board' },
    bar: 'live',
  },
  {
    path: '/event/reach',
    title: 'Who Has Answered',
    access: 'Module_Event_Management',
    screen: 'features/reach/web/who-has-answered-screen',
    back: { to: '/event/board', orFrom: true },
  },
  {
    path: '/event/plans',
    title: 'Who Opened Plans',
    access: 'Module_Building_Evacuation_Status',
    screen: 'features/peeps/web/plan-readers-screen',
    back: { to: '/event/board' },
  },
  {
    path: '/event/walls',
    title: 'Wall Screens',
    access: 'Module_Event_Management',
    screen: 'features/board/web/walls-screen',
    back: { to: '/event/board' },
  },
  {
    path: '/event/poster',
    title: 'Self-report Poster',
    access: 'Module_Event_Management',
    screen: 'features/self-report/web/poster-screen',
    back: { to: '/event/board' },
  },
  {
    path: '/warden/onduty',
    title: 'Wardens On duty',
    access: 'Module_Wardens_On_Duty',
    screen: 'features/duty/web/attendance/wardens-on-duty-screen',
    menu: { section: 'warden activities', text: 'Wardens On duty' },
  },
  {
    path: '/message/all',
    title: 'Warden Messaging',
    access: 'Module_Warden_Messaging',
    screen: 'features/messaging/web/all-messages-screen',
    menu: { section: 'warden activities', text: 'Warden Messaging' },
    unread: { from: 'wardens', search: '?view=inbox' },
  },
  {
    path: '/event/management',
    title: 'Event Management',
    access: 'Module_Event_Management',
    screen: 'web/app/event-management-screen',
    menu: { section: 'warden activities', text: 'Event Management' },
    back: { to: '/reportinlist', hiddenInEvent: true },
  },
  {
    path: '/floor/warden/status',
    title: 'Floor Warden Status',
    access: 'Module_Floor_Warden_Status',
    screen: 'features/duty/web/attendance/floor-warden-status-screen',
    menu: { section: 'warden activities', text: 'Floor Warden Status' },
  },
  {
    path: '/event/coverage',
    title: 'Floors Without a Warden',
    access: 'Module_Floor_Evacuation',
    screen: 'features/coverage/web/coverage-screen',
    menu: { section: 'warden activities', text: 'Floors Without a Warden' },
  },
  {
    path: '/coverage',
    title: 'Coverage',
    access: 'Module_Floor_Warden_Status',
    screen: 'features/coverage/web/days-ahead-screen',
    menu: { section: 'warden activities', text: 'Coverage' },
    back: { to: '/reportinlist' },
  },
  {
    path: '/coverage/mine',
    title: 'My Days',
    access: 'signed-in',
    screen: 'features/coverage/web/my-days-screen',
    back: { to: '/me/role', orPrevious: true },
  },
  {
    path: '/me/role',
    title: 'My Role',
    access: 'signed-in',
    screen: 'web/app/my-role-screen',
    menu: { section: 'warden activities', text: 'My Role & Documents' },
    back: { to: '/reportinlist' },
  },
  {
    path: '/message/evacuee/{evacueeId}',
    title: 'Evacuee Messaging',
    access: 'Module_My_Messages',
    screen: 'features/messaging/web/evacuee-thread-screen',
    besideList: true,
    back: { to: '/evacuee/safety', orFrom: true },
  },
  {
    path: '/message/evacueegroup',
    title: 'Evacuee Messaging',
    access: 'Module_My_Messages',
    screen: 'features/messaging/web/evacuee-group-screen',
    back: { to: '/evacuee/safety' },
  },
  {
    path: '/message/warden/{wardenId}',
    title: 'Warden Messaging',
    access: 'Module_Warden_Messaging',
    screen: 'features/messaging/web/warden-thread-screen',
    besideList: true,
    back: { to: '/message/all', orFrom: true },
  },
  {
    path: '/message/group',
    title: 'Warden Messages',
    access: 'Module_Warden_Messaging',
    screen: 'features/messaging/web/warden-group-screen',
    back: { to: '/message/all', orPrevious: true },
  },
  {
    path: '/event/pack',
    title: 'Arrival Pack',
    access: 'Module_Event_Management',
    screen: 'features/arrival-pack/web/pack-screen',
    back: { to: '/event/board', orPrevious: true },
  },
  {
    path: '/event/hazards',
    title: 'Hazards',
    access: 'observer',
    screen: 'features/arrival-pack/web/hazards-screen',
    back: { to: '/me/role' },
  },
  {
    path: '/event/records',
    title: 'Past Events',
    access: 'Module_Event_Records',
    screen: 'features/records/web/records-screen',
    menu: { section: 'records', text: 'Past Events' },
    back: { to: '/reportinlist' },
  },
  {
    path: '/event/command',
    title: 'Command',
    access: 'signed-in',
    screen: 'features/command/web/command-screen',
    back: { to: '/event/board', orPrevious: true },
  },
  {
    path: '/event/instructions',
    title: 'Instructions',
    access: 'Module_Event_Management',
    screen: 'features/command/web/instructions-screen',
    back: { to: '/event/board', orPrevious: true },
  },
  {
    path: '/event/observation',
    title: 'Observation',
    access: 'observer',
    screen: 'features/records/web/observation-screen',
    menu: { section: 'records', text: 'Observation' },
    back: { to: '/reportinlist' },
  },
  {
    path: '/observe',
    title: 'Observation',
    access: 'link',
    screen: 'features/records/web/observe-screen',
  },
  {
    path: '/event/records/{eventUid}/observers',
    title: 'Observers',
    access: 'Module_Event_Records',
    screen: 'features/records/web/observers-screen',
    back: { to: '/event/records', orPrevious: true },
  },
  {
    path: '/event/records/actions',
    title: 'Corrective Actions',
    access: 'Module_Event_Records',
    screen: 'features/records/web/actions-screen',
    back: { to: '/event/records' },
  },
  {
    path: '/event/records/{eventUid}',
    title: 'Event Record',
    access: 'Module_Event_Records',
    screen: 'features/records/web/record-screen',
    back: { to: '/event/records' },
  },
  {
    path: '/event/records/{eventUid}/timeline',
    title: 'Timeline',
    access: 'Module_Event_Records',
    screen: 'features/records/web/timeline-screen',
    back: { to: '/event/records', orPrevious: true },
  },
  {
    path: '/event/records/{eventUid}/replay',
    title: 'Replay',
    access: 'Module_Event_Records',
    screen: 'features/records/web/replay-screen',
    back: { to: '/event/records', orPrevious: true },
  },
  { path: '/me/messages', title: 'My Messages', access: 'title-only' },
] as const satisfies Rows

type Given = (typeof rows)[number]
export type PagePath = Given['path']
export type MenuPath = Extract<Given, { menu: unknown }>['path']
export type PageRow = Rows[number] & { path: PagePath }
export const pages: readonly PageRow[] = rows

type Filled<Path extends string> = Path extends `${infer Before}{${string}}` ? `${Before}${string}` : Path
type OpenPath = Filled<Extract<Given, { screen: string }>['path']> | '/simulator' | ConsolePath
/** Addresses of the administrators' side, which has its own table (app/console). */
export type ConsolePath = '/console' | `/console/${string}`
/** An address inside the app, which a link may lead to: a page of the table, with or without a query. */
export type Address = OpenPath | `${OpenPath}?${string}`

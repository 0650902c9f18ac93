import { defaultFilters } from '#kernel/kinds.ts'
import type { ModuleFlag } from '#kernel/vocabulary.ts'

/** What a field of a call can name. `strangers.fixture.ts` lists foreign objects of each kind. */
export type Kind =
  | 'evacuee'
  | 'floor'
  | 'floorStatus'
  | 'building'
  | 'managedBuilding'
  | 'managedEvent'
  | 'endedEvent'
  | 'recordExport'
  | 'recordSite'
  | 'observerLink'
  | 'siteFloor'
  | 'sitePerson'
  | 'wallLink'
  | 'eventType'
  | 'commandTurn'
  | 'chainSignIn'
  | 'instruction'
  | 'hazard'
  | 'arrivalPack'
  | 'selfReport'
  | 'reach'
  | 'ownSignIn'
  | 'eventSignIn'
  | 'eventWarden'
  | 'eventWardenSignIn'
  | 'ownAssignment'
  | 'ownOffer'
  | 'ownPerson'
  | 'ownEmail'
  | ConsoleKind

/** What a field of a call of the console can name. `console-matrix.test.ts` lists foreign objects of each kind. */
export type ConsoleKind =
  | 'otherAdministrator'
  | 'colleague'
  | 'anybody'
  | 'unplanned'
  | 'twin'
  | 'otherTwin'
  | 'status'
  | 'type'
  | 'checklistItem'
  | 'template'
  | 'document'
  | 'ownRole'
  | 'planned'
  | 'ownGroup'
  | 'ownSite'
  | 'ownBuilding'
  | 'ownFloor'
  | 'ownFloorBefore'
  | 'ownPlace'
  | 'heldAssignment'
  | 'waitingChange'
  | 'ownExport'
  | 'openUpload'
  | 'checkedUpload'
  | 'appliedUpload'
  | 'otherOrganisation'

/** Placeholder for an id in an input. `unknown` is the answer if the id does not exist or belongs to someone else. */
export class Names {
  readonly kind: Kind
  readonly unknown: string
  constructor(kind: Kind, unknown = '404 not_found') {
    this.kind = kind
    this.unknown = unknown
  }
}
const a = (kind: Kind, unknown?: string) => new Names(kind, unknown)

const eventInput = { buildings: [a('managedBuilding')], message: 'Evacuate now.', broadcastMessage: 'no' }

/** Sites of tests are there. */
const dayInSydney = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toLocaleDateString('en-CA', { timeZone: 'Australia/Sydney' })
const todayInSydney = dayInSydney(0)
// who takes a floor for today joins the running event
const tomorrowInSydney = dayInSydney(1)

const everyEvacuee = {
  area: 'everyone',
  floors: ['all'],
  message: 'show all',
  display: 'all',
  assist: false,
  visitor: false,
  refusal: false,
  search: '',
}

/** The occupant's two records that contradict each other, and the state that they make. */
export const contradicted = { at: new Date(1_769_817_600_000), state: '1769817600000000.1769817600000000.1' }

export interface CallInputs {
  /** The module that this input needs, if the call's policy names none. */
  flag?: ModuleFlag
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/**
 * Every call of the contract with a valid input and with what its fields name, one row per call. The authorisation
 * matrix is generated from it and fails for a call without a row.
 */
export const callInputs: Record<string, CallInputs> = {
  // public
  health: {},
  getLogOfHeads: {},
  listLogKeys: {},
  getRecordChecker: {},
  login: { body: { email: 'nobody@evac.test', password: 'evacuate1' } },
  loginByMobile: { body: { phone: '61499999999' } },
  verifyLoginByMobile: { body: { token: 'x' } },
  verifyLoginReportIn: { body: { token: 'x' } },
  readWall: { body: { token: 'x' } },
  requestPasswordReset: { body: { email: 'nobody@evac.test' } },
  resetPassword: { body: { token: 'x', password: 'a long enough password' } },
  listSimulatedCodes: {},
  listSimulatedMails: { query: { mobile: '61499999999' } },
  listSimulatedPhones: { query: {} },
  listSimulatedTexts: { query: { mobile: '61499999999' } },
  getSimulatedCall: { query: { mobile: '61499999999' } },
  actOnSimulatedCall: { params: { id: 'c0000000-0000-4000-8000-000000000000' }, body: { act: 'answer' } },
  sendSimulatedReply: { body: { id: 'c0000000-0000-4000-8000-000000000000', mobile: '61499999999', text: '1' } },

  // signed by gateways
  receiveText: { body: { from: '61499999999', text: 'safe', provider_id: 'x' } },
  receiveTwilioCall: { query: { call: 'x' } },
  receiveTwilioKey: { query: { call: 'x' } },
  receiveTwilioStatus: { query: { text: 'x' } },
  receiveTwilioText: {},

  // sealed by cells
  answerCell: { body: { sealed: 'x' } },

  // sign-in, report-in, assignments
  rejoin: { body: { person_uid: a('ownPerson', '403 unauthorized_access') } },
  getProfile: {},
  logout: {},
  noteHere: {},
  listReportInCards: { query: { signInMethod: 'Email' } },
  getReportInCardByLink: { query: { WardenSignInUID: a('ownSignIn') } },
  getReportData: {},
  getRole: {},
  markOnDuty: { body: { Warden_Sign_In_UID: a('ownSignIn') } },
  markNotAvailable: { body: { Warden_Sign_In_UID: a('ownSignIn') } },
  reportIn: {},
  reportNotAvailable: {},
  logSignIn: { body: { peer_email: a('ownEmail', '403 forbidden') } },
  listAssignmentPeeps: { params: { wardenAssignmentUID: a('ownAssignment') } },
  updateAssignmentStatus: { body: { Warden_Assignment_UID: a('ownOffer'), Assignment_Status: 'Accepted' } },
  listDocuments: { query: { wardenAssignmentUID: a('ownAssignment') } },

  // events
  listEventSites: {},
  createEvent: { body: { ...eventInput, eventType: a('eventType'), alertToWarden: 'no' } },
  endEvent: { body: { ...eventInput, eventType: 'c0000000-0000-4000-8000-000000000000' } }, // any type is accepted
  makeEventLive: { body: { event: a('managedEvent'), message: 'This is not a drill.' } },
  changeAction: {
    body: {
      ...{
        event: a('managedEvent'),
        buildings: [a('managedBuilding')],
        action: 'evacuate',
        message: 'EVACUATE. Leave now.',
      },
      broadcastMessage: 'no',
      again: 'yes',
      base: null,
    },
  },
  getBrief: {},
  getCommand: {},
  handOver: {
    body: { turn: a('commandTurn', '409 command_changed'), to: a('chainSignIn', '409 invalid_transition'), note: '' },
  },
  takeCommand: { body: { turn: a('commandTurn', '409 command_changed') } },
  listInstructions: {},
  previewInstruction: { body: { floors: [a('floor')] } },
  sendInstruction: { body: { kind: 'stay', message: 'Stay where you are.', floors: [a('floor')], text: 'no' } },
  getInstruction: { params: { uid: a('instruction') } },
  understand: { params: { uid: a('instruction') } },
  listHazards: {},
  noteHazard: { body: { place: a('floor'), text: 'Gas cylinders' } },
  endHazard: { params: { uid: a('hazard') } },
  listPacks: {},
  makePack: { body: { hours: 4, plans: 'yes' } },
  endPack: { params: { uid: a('arrivalPack') } },
  openEventPlan: { params: { personId: a('evacuee') }, body: { reason: 'helping', whole: 'no' } },
  listPlanReaders: {},
  noteLiveSeen: { body: { event: a('managedEvent') } },

  // records of past events
  listRecords: { query: { site: a('recordSite', '200') } },
  listTrends: { query: { site: a('recordSite', '200') } },
  listDrillsDue: { query: { site: a('recordSite', '200') } },
  findOwners: { query: { q: 'warden' } },
  listActions: { query: { site: a('recordSite', '200') } },
  getRecord: { params: { eventUid: a('endedEvent') } },
  getReplay: { params: { eventUid: a('endedEvent') } },
  listTimeline: {
    params: { eventUid: a('endedEvent') },
    query: { person: a('evacuee', '200'), floor: a('floor', '200') },
  },
  listNames: { params: { eventUid: a('endedEvent') }, body: { list: 'unaccounted' } },
  holdRecord: {
    params: { eventUid: a('endedEvent') },
    body: { hold: true, reason: 'The coroner asks.' },
    flag: 'Module_Event_Management',
  },
  addToRecord: {
    params: { eventUid: a('managedEvent') },
    body: { kind: 'observation', body: { tone: 'Note', text: 'A door was open.' } },
  },
  exportRecord: { params: { eventUid: a('endedEvent') }, body: { format: 'csv', names: 'none' } },
  getExport: { params: { uid: a('recordExport') } },
  sendLateRecords: {
    body: {
      WardenSignInUID: a('ownSignIn'),
      records: [
        {
          ...{
            kind: 'personStatus',
            key: '5d2c5b0e-9c1f-4f0a-8d59-6a3a3a4f0b11',
            observed_at: '2026-01-31T00:00:00Z',
            status: 'safe',
          },
          // of an event that runs nothing is kept, whoever it is about
          person: a('evacuee', '200'),
          floor: a('floor', '200'),
        },
      ],
    },
  },
  listObserved: {},
  getNoting: { params: { eventUid: a('managedEvent') } },
  makeObserverLink: { params: { eventUid: a('managedEvent') }, body: { name: 'Kim Observer' } },
  listObservers: { params: { eventUid: a('managedEvent') } },
  endObserverLink: { params: { eventUid: a('managedEvent'), uid: a('observerLink') } },
  getObserved: {},
  noteAsObserver: { body: { kind: 'observation', body: { tone: 'Note', text: 'A door was open.' } } },
  listUnaccounted: { query: { event: a('managedEvent'), status: 'danger' } },
  sendReportInLinks: {
    body: {
      warden_sign_in_uids: [a('eventSignIn', '200 {"recordsInserted":0,"not_reached":[]}')],
      sender_warden_sign_in_uid: a('ownSignIn', '403 forbidden'),
    },
  },

  // coverage of the next days
  getCoverageAhead: { query: {} },
  listAskable: { query: { floorId: a('siteFloor'), day: todayInSydney } },
  askForDay: { body: { floorId: a('siteFloor'), day: todayInSydney, personId: a('sitePerson') } },
  getOwnDays: {},
  setOwnDay: { body: { day: todayInSydney, in: 'yes' } },
  takeForDay: { body: { floorId: a('siteFloor'), day: tomorrowInSydney } },

  // attendance
  getBuildingStatus: {},
  chooseBuilding: { body: { buildingId: a('building') } },
  listWardensOnDuty: { query: { building_id: a('building') } },

  // floors without a warden
  getFloorCoverage: {},
  listFloorCandidates: { params: { floorId: a('floor') } },
  claimFloor: { body: { floorId: a('floor') } },
  giveBackFloor: { body: { floorId: a('floor') } },
  offerFloor: { body: { floorId: a('floor'), wardenSignInUid: a('eventWardenSignIn') } },
  answerOffer: { body: { offer: 'c0000000-0000-4000-8000-000000000000', take: 'no' } },

  // floor evacuation
  getFloorData: { query: { floor: a('floor', '200'), building: a('building', '200') } },
  getSafetySummary: {},
  getBoard: { query: {} },
  getBoardPlaces: {},
  getBoardFloor: { params: { floorId: a('floor') } },
  listWalls: { query: { site: a('recordSite') } },
  makeWall: { body: { site: a('recordSite'), name: 'Lobby', place: 'public', days: 90 } },
  endWall: { params: { uid: a('wallLink') } },
  getEventTexts: {},
  listUnreached: { query: {} },
  getPushKey: {},
  turnOnAlerts: { body: { endpoint: 'https://fcm.googleapis.com/fcm/send/1' } },
  turnOffAlerts: { body: { endpoint: 'https://fcm.googleapis.com/fcm/send/1' } },
  getReach: { query: { class: 'report_in', list: 'trying', after: a('reach') } },
  actOnReach: { params: { uid: a('reach') }, body: { act: 'again' } },
  searchOccupants: { params: { text: 'occupant' }, query: { floor: a('floor') } },
  listOccupants: { query: { floor: a('floor') } },
  setFloorStatus: { body: { floorId: a('floor'), floorStatusId: a('floorStatus') } },
  setPersonStatus: { body: { personId: a('evacuee'), status: 'in danger', floorId: a('floor') } },
  toggleRefusal: { body: { person: a('evacuee'), floorId: a('floor') } },
  changeFloor: { body: { floor: a('floor') } },
  changeBuilding: { body: { building: a('building') } },

  // messaging
  getEvacueeThread: { query: { toEvacuee: a('evacuee') } },
  pollEvacueeThread: { query: { toEvacuee: a('evacuee') } },
  getWardenThread: { query: { toWarden: a('eventWarden') } },
  pollWardenThread: { query: { toWarden: a('eventWarden') } },
  sendToEvacuee: { body: { message: 'Hello', receiverId: a('evacuee'), automated_response_message: 0 } },
  sendToWarden: {
    body: {
      message: 'Hello',
      receiverId: a('eventWarden'),
      from: a('ownSignIn', '422 invalid_request'),
      to: a('eventWardenSignIn', '422 invalid_request'),
    },
  },
  sendToWardenGroup: {
    body: {
      message: 'Hello',
      from: a('ownSignIn', '403 forbidden'),
      audience: [
        {
          wardenAssignmentUid: a('eventWarden', '422 invalid_request'),
          wardenSignInUid: a('eventWardenSignIn', '422 invalid_request'),
        },
      ],
    },
  },
  countEvacueeGroup: { body: { filters: everyEvacuee } },
  sendToEvacueeGroup: {
    body: { filters: everyEvacuee, floors: ['all'], automated_response_message: 0, msg: 'Hello' },
  },
  listTemplates: { query: { type: 'Warden' }, flag: 'Module_Warden_Messaging' },
  getMessengerData: {},
  filterMessenger: { query: { b: 'all', r: 'all', s: 'all' } },
  listInbox: { query: {} },
  // the warden-side view of floors
  getFloorOverview: { query: { building_id: a('building') } },
  listFloorPeople: { params: { floorId: a('floor') }, query: {} },
  listFloorlessPeople: { params: { buildingId: a('building') }, query: {} },
  searchEventPeople: { params: { text: 'occupant' }, query: {} },
  setStatusOnFloor: { body: { id: a('evacuee'), status: 'in danger', floor: a('floor') } },

  // evacuee safety
  getSafetyData: {},
  filterEvacuees: { query: {}, body: defaultFilters }, // floors of others are ignored: features/safety/filters.test.ts
  listAreaFloors: { query: { area: 'everyone' } },
  setEvacueeStatus: { body: { evacueeId: a('evacuee'), status: 'in danger' } },
  setEvacueeStatusByGet: { query: { evacueeId: a('evacuee'), status: 'in danger' } },

  // accounting
  listAccounted: { query: { list: 'unknown', floor: a('floor') } },
  countAsked: { body: { floors: [a('floor')], causes: ['not_asked'] } },
  askUnknown: { body: { floors: [a('floor')], causes: ['not_asked'], count: 0 } },
  listContradictions: { query: {} },
  keepContradiction: {
    body: { kind: 'late_safe', subject: a('evacuee'), state: contradicted.state, reason: 'Seen by both' },
  },
  listReports: { query: { state: 'open', after: a('selfReport') } },
  handleReport: { params: { uid: a('selfReport') }, body: { act: 'accept', person: a('evacuee') } },
  acceptReports: { body: { upTo: a('selfReport') } },
  dismissReports: { body: { upTo: a('selfReport'), floor: a('floor'), calls: 'keep' } },
  openReportPage: { body: { open: 'yes' } },
  openUnknownTexts: { body: { open: 'yes' } },
  getReportCode: { query: { site: a('recordSite') } },
  makeReportCode: { body: { site: a('recordSite') } },

  // real time
  getChannels: {},
  getChannelToken: {},
  pollEvent: {},
  getAlarms: { query: { since: '0' } },

  // the console
  setUp: {
    body: {
      token: 'x',
      organisation: { name: 'Harbour School', code: 'SCHOOL', country: 'AU', timezone: 'Australia/Sydney' },
      administrator: { first_name: 'Nora', last_name: 'Lind', email: 'nora@school.test', mobile: '' },
      password: 'a long enough password',
    },
  },
  signInToConsole: { body: { name: 'nobody@evac.test', password: 'evacuate1' } },
  giveCode: { body: { ticket: 'x', code: '123456' } },
  startEnrolment: { body: { ticket: 'x' } },
  confirmEnrolment: { body: { ticket: 'x', code: '123456' } },
  readInvitation: { body: { token: 'x' } },
  acceptInvitation: { body: { token: 'x', password: 'a long enough password' } },
  getMe: {},
  getNow: {},
  confirmIdentity: { body: { code: '123456' } },
  switchOrganisation: { body: { client: a('otherOrganisation') } },
  openWardenSession: {},
  renewRecoveryCodes: {},
  signOutOfConsole: {},
  listAdministrators: {},
  listCandidates: { query: { q: 'warden' } },
  listOwnSignInChanges: {},
  listSignInChanges: {},
  readSignInOrigins: { body: { people: [a('anybody')] } },
  appointAdministrator: {
    body: { person: a('colleague'), reach: 'site', site: a('ownSite'), sees_plans: false },
  },
  revokeAdministrator: { params: { uid: a('otherAdministrator') } },
  resetSecondFactor: { params: { uid: a('otherAdministrator') } },
  listPeople: { query: { q: 'a' } },
  downloadPeople: { body: { q: 'a', columns: ['place', 'email'] } },
  listPeopleChoices: {},
  listFloorChoices: { query: { building: a('ownBuilding') } },
  getPerson: { params: { uid: a('anybody') } },
  addPerson: { body: { first_name: 'New', last_name: 'Hand', place: a('ownFloor') } },
  changePerson: { params: { uid: a('anybody') }, body: { version: 'x', place: a('ownFloor') } },
  deactivatePerson: { params: { uid: a('anybody') } },
  reactivatePerson: { params: { uid: a('anybody') } },
  listDuplicates: {},
  mergePeople: {
    body: { stays: a('twin'), goes: a('otherTwin'), stays_version: 'x', goes_version: 'x', take: [] },
  },
  downloadPerson: { params: { uid: a('twin') } },
  erasePerson: { params: { uid: a('anybody') } },
  listGroups: { query: { q: 'a' } },
  getGroup: { params: { uid: a('ownGroup') } },
  addGroup: { body: { name: 'Dental' } },
  changeGroup: { params: { uid: a('ownGroup') }, body: { version: 'x', name: 'Dental', in_use: true } },
  changeMembers: { params: { uid: a('ownGroup') }, body: { add: [a('anybody')], remove: [a('anybody')] } },
  changePeople: { body: { people: [a('anybody')], act: 'move', place: a('ownFloor') } },
  movePeople: { body: { from: a('ownPlace'), to: a('ownFloor') } },
  invitePerson: { params: { uid: a('anybody') } },
  showInvitation: { params: { uid: a('anybody') } },
  sendPasswordLink: { params: { uid: a('anybody') } },
  signOutPerson: { params: { uid: a('anybody') }, body: { take_off_duty: true } },
  getOverview: {},
  putStepAside: { params: { step: 'plans' }, body: { aside: true } },
  listPlaces: { query: { site: a('ownSite'), building: a('ownBuilding') } },
  addSite: { body: { name: 'Annexe' } },
  addBuilding: { body: { site: a('ownSite'), name: 'Gate house' } },
  addFloors: { body: { building: a('ownBuilding'), kind: 'floor', floors: [{ name: 'Roof' }] } },
  changePlace: { params: { uid: a('ownPlace') }, body: { version: '0', name: 'Quay' } },
  movePlace: { params: { uid: a('ownFloor') }, body: { after: a('ownFloorBefore') } },
  retirePlace: { params: { uid: a('ownPlace') } },
  bringBackPlace: { params: { uid: a('ownPlace') } },
  listRoles: {},
  addRole: { body: { name: 'Runner', domain: 'Floor', modules: ['Floor_Evacuation'] } },
  changeRole: {
    params: { uid: a('ownRole') },
    body: { version: '0', name: 'Runner', domain: 'Floor', modules: [], in_use: true },
  },
  listAssignments: { query: { site: a('ownSite'), role: a('ownRole'), person: a('colleague') } },
  downloadAssignments: { body: { site: a('ownSite'), role: a('ownRole'), person: a('colleague') } },
  offerRole: {
    body: {
      people: [a('colleague')],
      role: a('ownRole'),
      site: a('ownSite'),
      places: [a('ownFloor')],
      from: '2030-01-01',
      to: '2030-12-31',
      accepted: false,
      tell: false,
    },
  },
  changeAssignment: {
    params: { uid: a('heldAssignment') },
    body: { version: '0', from: '2030-01-01', to: '2030-12-31', places: [] },
  },
  withdrawAssignment: { params: { uid: a('heldAssignment') }, body: { reason: 'Moves away' } },
  getCoverage: { query: { site: a('ownSite'), building: a('ownBuilding') } },
  doWaitingNow: { params: { uid: a('waitingChange') } },
  dropWaiting: { params: { uid: a('waitingChange') } },
  getSettings: {},
  getReaching: {},
  saveReaching: {
    body: {
      version: 'another',
      plans: {
        report_in: 'until_they_answer',
        instruction: 'as_before',
        command: 'as_before',
        offer: 'as_before',
        message: 'as_before',
        ask: [{ way: 'text', seconds: 0 }],
      },
      texts: null,
      calls: 2,
    },
  },
  saveSettings: {
    body: {
      version: 'x',
      name: 'Harbour',
      timezone: 'Australia/Sydney',
      country: 'AU',
      contact_email: '',
      sms_allowed: true,
      sms_links: null,
      sms_alerts: null,
      may_delete: false,
      days: { messages: null, events: null, audit: null, plans: null },
    },
  },
  listPlans: { query: {} },
  getPlan: { params: { personUid: a('planned') } },
  savePlan: {
    params: { personUid: a('unplanned') },
    body: {
      version: null,
      assistance: 'PEEP-CANARY',
      disability: '',
      other: 'PEEP-CANARY',
      summary: '',
      consent: 'person',
      consent_on: '2026-01-31',
      review_on: 'today+30',
    },
  },
  endPlan: {
    params: { personUid: a('planned') },
    body: { version: 'x' },
  },
  listPlanViews: { params: { personUid: a('planned') } },
  listPlanNotices: { params: { personUid: a('planned') } },
  notePlanTold: { params: { personUid: a('planned') }, body: { count: 0 } },
  listFloorStatuses: {},
  addFloorStatus: { body: { name: 'Searched', colour: 'green', in_use: true } },
  changeFloorStatus: {
    params: { uid: a('status') },
    body: { version: 'x', name: 'Searched', colour: 'green', in_use: true },
  },
  orderFloorStatuses: { body: { uids: [a('status')] } },
  listEventTypes: {},
  addEventType: { body: { type: 'Gas', description: '', message: '', in_use: true } },
  addEventTypeSet: { body: { set: 'school_us' } },
  changeEventType: {
    params: { uid: a('type') },
    body: { version: 'x', type: 'Gas', description: '', message: '', in_use: true },
  },
  listChecklist: {},
  addChecklistItem: { body: { text: 'Gas shut off?', in_use: true } },
  changeChecklistItem: {
    params: { uid: a('checklistItem') },
    body: { version: 'x', text: 'Gas shut off?', in_use: true },
  },
  orderChecklist: { body: { uids: [a('checklistItem')] } },
  listTemplateRows: {},
  addTemplate: { body: { kind: 'Warden', text: 'Where are you?', coded_answer: false, in_use: true } },
  changeTemplate: {
    params: { uid: a('template') },
    body: { version: 'x', kind: 'Warden', text: 'Where are you?', coded_answer: false, in_use: true },
  },
  listDocumentRows: {},
  storeDocumentFile: {},
  addDocument: {
    body: {
      name: 'Plan',
      url: 'https://plans.test/',
      file: '',
      in_use: true,
      site: a('ownSite'),
      role: a('ownRole'),
      person: a('planned'),
    },
  },
  changeDocument: {
    params: { uid: a('document') },
    body: {
      version: 'x',
      name: 'Plan',
      url: 'https://plans.test/',
      file: '',
      in_use: true,
      site: null,
      role: null,
      person: null,
    },
  },
  listAudit: { query: { who: a('anybody'), person: a('anybody') } },
  getTableTemplates: {},
  exportTables: {},
  getTablesExport: { params: { uid: a('ownExport') } },
  listUploads: { query: {} },
  openUpload: {},
  storeUploadPart: { params: { uid: a('openUpload'), file: 'people.csv' }, query: { part: '1' } },
  checkUpload: {
    params: { uid: a('openUpload') },
    body: { files: [{ file: 'people.csv', parts: 1 }], end_missing: false },
  },
  getUpload: { params: { uid: a('checkedUpload') } },
  listUploadProblems: { params: { uid: a('checkedUpload') } },
  downloadUploadProblems: { params: { uid: a('checkedUpload') } },
  downloadLeftOutRows: { params: { uid: a('checkedUpload'), file: 'people.csv' } },
  listUploadChanges: { params: { uid: a('checkedUpload') }, query: {} },
  applyUpload: { params: { uid: a('checkedUpload') }, body: { ends: null, leave_out: 1 } },
  undoUpload: { params: { uid: a('appliedUpload') } },
  dropUpload: { params: { uid: a('openUpload') } },
  downloadAudit: { query: { who: a('anybody'), person: a('anybody') } },
}

export type Uids = Record<Exclude<Kind, ConsoleKind>, string> & Partial<Record<ConsoleKind, string>>
export type Path = readonly (string | number)[]

/** The input with ids in place of the placeholders. At `path`, if given, a different id. */
export function fill(inputs: CallInputs, uids: Uids, path?: Path, other?: string): CallInputs {
  return filled(inputs, uids, path?.join('.'), other, '') as CallInputs
}

function filled(value: unknown, uids: Uids, path: string | undefined, other: string | undefined, at: string): unknown {
  if (value instanceof Names) return at === path ? other : uids[value.kind]
  const inside = (key: string | number, of: unknown) =>
    filled(of, uids, path, other, at === '' ? `${key}` : `${at}.${key}`)
  if (Array.isArray(value)) return value.map((of, index) => inside(index, of))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, of]) => [key, inside(key, of)]))
}

/** All placeholders of an input, with their paths. */
export function slotsOf(value: unknown, path: Path = []): { path: Path; names: Names }[] {
  if (value instanceof Names) return [{ path, names: value }]
  if (Array.isArray(value)) return value.flatMap((of, index) => slotsOf(of, [...path, index]))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, of]) => slotsOf(of, [...path, key]))
}

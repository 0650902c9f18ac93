import { randomBytes, randomUUID } from 'node:crypto'
import { type ConsoleRight, consoleRights } from '#kernel/console-kinds.ts'
import type { PersonUid } from '#kernel/ids.ts'
import { newToken } from '../../platform/secrets.ts'
import {
  asAdministrator,
  type GivenAdministrator,
  givenAdministrator,
  givenGroup,
  secrets,
} from '../../testing/administrators.ts'
import type { Organisation } from '../../testing/given-places.ts'
import type { Warden } from '../../testing/given-wardens.ts'
import type { TestServer } from '../../testing/test-server.ts'
import { bearer } from './ask.fixture.ts'
import type { ConsoleKind, Uids } from './call-inputs.fixture.ts'

/** Who asks, and the rights of administrators. Written independently of the guard. */
export const consoleAskers = {
  'the whole organisation': ['people', 'wardens', 'places', 'lists', 'tables', 'records', 'organisation'],
  'the whole organisation with the mark': consoleRights,
  'a site': ['people', 'wardens', 'places', 'lists', 'tables', 'records'],
  'a site with the mark': ['people', 'wardens', 'places', 'lists', 'tables', 'plans', 'records'],
  'a group': ['people', 'wardens', 'places', 'tables'],
  'a group with the mark': ['people', 'wardens', 'places', 'tables', 'plans'],
} satisfies Record<string, readonly ConsoleRight[]>
export type ConsoleAsker = keyof typeof consoleAskers
export const consoleAskerNames = Object.keys(consoleAskers) as ConsoleAsker[]

/** An organisation with administrators of every reach. Each token is of someone who could make the call if only the reach allowed it. */
export async function givenConsoleAskers(server: TestServer) {
  const org = await server.given.organisation()
  const groupUid = await givenGroup(server, org)
  await givenAdministrator(server, org)
  const tokens = new Map<ConsoleAsker, { token: string; stale: string }>()
  for (const name of consoleAskerNames) {
    const kind = name.startsWith('a site') ? 'site' : name.startsWith('a group') ? 'group' : 'organisation'
    const admin = await givenAdministrator(server, org, {
      reach: kind,
      ...(kind === 'site' && { siteUid: org.siteUid }),
      ...(kind === 'group' && { groupUid }),
      seesPlans: name.endsWith('mark'),
    })
    const confirmedAt = new Date(Date.now() - 11 * 60_000)
    tokens.set(name, {
      token: (await asAdministrator(server, admin)).token,
      stale: (await asAdministrator(server, admin, { confirmedAt })).token,
    })
  }
  return tokens
}

/** Headers that open nothing of the console. */
export async function givenWrongConsoleTokens(server: TestServer) {
  const org = await server.given.organisation()
  const admin = await givenAdministrator(server, org)
  const chief = await server.given.warden(org, { role: 'Chief Warden' })
  await server.runningEvent(org)
  const right = (await asAdministrator(server, admin)).token
  const past = new Date(Date.now() - 1)
  const headers: Record<string, Record<string, string>> = {
    'no token': {},
    garbage: bearer('garbage'),
    'a token that no one has': bearer(newToken(secrets.console)),
    'a token that someone made up': bearer(newToken(randomBytes(32))),
    'a ticket': bearer(newToken(secrets.consoleTickets)),
    'a token without its type': { authorization: right },
    'a token and a bit': bearer(`${right}x`),
    'an expired token': bearer((await asAdministrator(server, admin, { expiresAt: past })).token),
    'a revoked token': bearer((await asAdministrator(server, admin, { revokedAt: past })).token),
    'a token unused for an hour': bearer(
      (await asAdministrator(server, admin, { seenAt: new Date(Date.now() - 3_601_000) })).token,
    ),
    'the token of a chief warden on duty': bearer((await server.onDuty(chief)).token),
    'the token of someone revoked': bearer(await revokedToken(server)),
  }
  return headers
}

async function revokedToken(server: TestServer): Promise<string> {
  const admin = await givenAdministrator(server, await server.given.organisation())
  const { token } = await asAdministrator(server, admin)
  await server.db
    .updateTable('administrator')
    .set({ revokedAt: new Date() })
    .where('uid', '=', admin.administratorUid)
    .execute()
  return token
}

type Own = Uids & Record<ConsoleKind, string>

/** An administrator of everything for one call, with what the call's input names, and objects of others of each kind. */
export async function givenConsoleWorld(server: TestServer, given?: Organisation) {
  const [org, abroad] = [given ?? (await server.given.organisation()), await server.given.organisation()]
  const email = `console-${abroad.clientUid}@evac.test`
  const asker = await givenAdministrator(server, org, { email, seesPlans: true })
  const second = await givenAdministrator(server, org)
  const colleague = await server.given.warden(org)
  const elsewhere = await givenAdministrator(server, abroad, { email })
  const theirs = await givenAdministrator(server, abroad)
  const left = await server.given.occupant(org, { active: false })
  const [planned, unplanned] = [await server.given.occupant(org), await server.given.occupant(org)]
  await givenCanary(server, org, planned)
  const [mine, foreign] = [await givenLists(server, org), await givenLists(server, abroad)]
  const { token } = await asAdministrator(server, asker)
  await openElsewhere(server, asker.accountUid, elsewhere.accountUid)
  const abroadWarden = await server.given.warden(abroad)
  const waiting = await givenWaiting(server, colleague)
  return {
    token,
    own: {
      otherAdministrator: second.administratorUid,
      colleague: colleague.personUid,
      anybody: left,
      planned,
      unplanned,
      twin: planned,
      otherTwin: unplanned,
      ...mine,
      ownGroup: await givenGroup(server, org),
      ownSite: org.siteUid,
      ownBuilding: org.buildingUid,
      ownFloor: org.floors[1],
      ownFloorBefore: org.floors[0],
      ownPlace: org.otherFloorUid,
      ownRole: await roleOf(server, colleague),
      heldAssignment: colleague.assignmentUid,
      waitingChange: waiting,
      ownExport: await givenArchive(server, asker),
      openUpload: await givenUpload(server, asker, 'open'),
      checkedUpload: await givenUpload(server, asker, 'checked'),
      appliedUpload: await givenUpload(server, asker, 'applied'),
      otherOrganisation: abroad.clientUid,
    } as unknown as Own,
    others: {
      otherAdministrator: [theirs.administratorUid, org.siteUid],
      colleague: [theirs.personUid, left, org.siteUid],
      anybody: [theirs.personUid, org.siteUid],
      planned: [theirs.personUid, left, org.siteUid],
      unplanned: [theirs.personUid, left, org.siteUid],
      twin: [theirs.personUid, org.siteUid],
      otherTwin: [theirs.personUid, org.siteUid],
      status: [foreign.status, mine.type],
      type: [foreign.type, mine.status],
      checklistItem: [foreign.checklistItem, mine.type],
      template: [foreign.template, mine.type],
      document: [foreign.document, mine.template],
      ownGroup: [await givenGroup(server, abroad), org.siteUid],
      ownSite: [abroad.siteUid, org.buildingUid],
      ownBuilding: [abroad.buildingUid, org.siteUid],
      ownFloor: [abroad.floorUid, org.siteUid],
      ownFloorBefore: [abroad.floorUid, org.otherFloorUid],
      ownPlace: [abroad.siteUid, abroad.buildingUid, abroad.floorUid],
      ownRole: [await roleOf(server, abroadWarden), org.siteUid],
      heldAssignment: [abroadWarden.assignmentUid, org.siteUid],
      waitingChange: [await givenWaiting(server, abroadWarden), org.siteUid],
      ownExport: [await givenArchive(server, theirs), org.siteUid],
      openUpload: [await givenUpload(server, theirs, 'open'), org.siteUid],
      checkedUpload: [await givenUpload(server, theirs, 'checked'), org.siteUid],
      appliedUpload: [await givenUpload(server, theirs, 'applied'), org.siteUid],
      otherOrganisation: [(await server.given.organisation()).clientUid, org.clientUid, org.siteUid],
    } satisfies Record<ConsoleKind, string[]>,
  }
}

/** A row of each list. */
async function givenLists({ db }: TestServer, org: Organisation) {
  const { clientUid, siteUid } = org
  const code = randomUUID()
  const template = { clientUid, code, type: 'Warden', text: 'Where?' }
  const item = { clientUid, code, text: 'Lifts at the ground?', displayOrder: 1 }
  const document = { clientUid, code, name: 'Map', url: 'https://maps.test/', siteUid }
  return {
    status: org.statusUids[0] as string,
    type: org.eventTypeUid as string,
    checklistItem: (await db.insertInto('checklistItem').values(item).returning('uid').executeTakeFirstOrThrow()).uid,
    template: (await db.insertInto('messageTemplate').values(template).returning('uid').executeTakeFirstOrThrow()).uid,
    document: (await db.insertInto('document').values(document).returning('uid').executeTakeFirstOrThrow()).uid,
  }
}

/** A plan whose text must be found nowhere else (T21). */
async function givenCanary({ db }: TestServer, { clientUid }: Organisation, personUid: PersonUid): Promise<void> {
  const text = 'PEEP-CANARY'
  await db.insertInto('peep').values({ clientUid, personUid, assistance: text, summary: text }).execute()
}

async function roleOf({ db }: TestServer, { assignmentUid }: Pick<Warden, 'assignmentUid'>): Promise<string> {
  const { roleUid } = await db
    .selectFrom('wardenAssignment')
    .select('roleUid')
    .where('uid', '=', assignmentUid)
    .executeTakeFirstOrThrow()
  return roleUid
}

/** The end of someone's assignment, which waits. */
async function givenWaiting({ db }: TestServer, { clientUid, personUid, assignmentUid }: Warden): Promise<string> {
  const wish = {
    clientUid,
    personUid,
    assignmentUid,
    kind: 'assignment_end',
    wanted: JSON.stringify({ reason: 'Moves' }),
  }
  const { uid } = await db.insertInto('waitingChange').values(wish).returning('uid').executeTakeFirstOrThrow()
  return uid
}

/** An export that no worker makes: each would take a process. */
async function givenArchive({ db }: TestServer, admin: GivenAdministrator): Promise<string> {
  const { clientUid, administratorUid } = admin
  const { uid } = await db
    .insertInto('directoryExport')
    .values({ ...{ clientUid, administratorUid, plans: false, state: 'failed' }, reach: '{}' })
    .returning('uid')
    .executeTakeFirstOrThrow()
  return uid
}

/** Tables of one part, and of one change if they are checked or applied. */
async function givenUpload(
  { db }: TestServer,
  admin: GivenAdministrator,
  state: 'open' | 'checked' | 'applied',
): Promise<string> {
  const { clientUid, administratorUid, personUid } = admin
  const appliedAt = state === 'applied' ? new Date().toISOString() : null
  const none = { number: 0, of: 0 }
  const rows = { leftOut: [{ file: 'people.csv', rows: 1, headings: ['code'] }], others: 1 }
  const found = { files: [], ends: { people: none, assignments: none }, mustType: null, windows: [], rows }
  const { uid } = await db
    .insertInto('upload')
    .values({
      clientUid,
      administratorUid,
      byPersonUid: personUid,
      state,
      changes: state === 'open' ? 0 : 1,
      hasKeys: true,
      appliedAt,
      ...(state === 'checked' && { result: JSON.stringify(found) }),
    })
    .returning('uid')
    .executeTakeFirstOrThrow()
  const content = Buffer.from('code,first_name,last_name\n')
  const part = { clientUid, uploadUid: uid, file: 'people.csv', nth: 1, content, bytes: content.length }
  await db.insertInto('uploadPart').values(part).execute()
  return uid
}

/** The session's password has opened an account of the other organisation, too. */
async function openElsewhere({ database }: TestServer, accountUid: string, otherUid: string): Promise<void> {
  await database.system.pg.query(
    `update console_session s set further_account_uids = array[ac.uid],
       further_digests = array[sha256(convert_to(ac.password_hash, 'UTF8'))]
     from account ac where ac.uid = $2 and s.account_uid = $1`,
    [accountUid, otherUid],
  )
}

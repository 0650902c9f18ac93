import { randomBytes, randomUUID } from 'node:crypto'
import { logSignIn } from '#features/duty/calls/report-in.ts'
import { newPosterCode } from '#features/self-report/server/links/link-codes.ts'
import type { EvacueeUid, SignInUid } from '#kernel/ids.ts'
import { givenAdministrator, givenGroup } from '../testing/administrators.ts'
import type { TestServer } from '../testing/test-server.ts'
import { givenInstruction, givenObserverLink, givenRecordOf } from './authorisation/own-uids.fixture.ts'

let nthHead = 1

/** An organisation with a row in every tenant table and a running event. */
export async function fullOrganisation(server: TestServer) {
  const { given, db } = server
  const org = await given.organisation({ siteName: 'Quay' })
  const { clientUid } = org
  const warden = await given.warden(org, { firstName: 'Kim' })
  const person = await given.occupant(org, { firstName: 'Kim', lastName: 'Lee' })
  await given.peep(org, person)
  const eventRecord = await givenRecordOf(server, org)
  await db.insertInto('recordCounter').values({ clientUid }).execute()
  await db
    .insertInto('recordEntry')
    .values({ clientUid, eventUid: eventRecord, kind: 'fact', body: '{}', byName: 'Kim' })
    .execute()
  await db
    .insertInto('recordExport')
    .values({ clientUid, eventUid: eventRecord, personUid: person, format: 'csv', names: 'none', reach: '{}' })
    .execute()
  await givenObserverLink(server, org, eventRecord)
  const text = { clientUid, code: 'T', type: 'Warden', text: 'Where are you?' }
  await db.insertInto('messageTemplate').values(text).execute()
  const item = { clientUid, code: 'C', text: 'Gas shut off?', displayOrder: 1 }
  await db.insertInto('checklistItem').values(item).execute()
  const plan = { clientUid, code: 'D', name: 'Plan', url: 'https://plans.test/1', siteUid: org.siteUid }
  await db.insertInto('document').values(plan).execute()
  await db.insertInto('smsSpend').values({ clientUid, day: '2026-01-31', pot: 'alerts', segments: 1 }).execute()
  await givenGroup(server, org, [person])
  await db.insertInto('formerAddress').values({ clientUid, personUid: person, email: 'old@quay.test' }).execute()
  await db
    .insertInto('signInChange')
    .values({ clientUid, personUid: person, what: 'address', at: new Date() })
    .execute()
  const admin = await givenAdministrator(server, org)
  const invitation = { personUid: admin.personUid, tokenHash: randomBytes(32), expiresAt: new Date() }
  await db
    .insertInto('invitation')
    .values({ clientUid, ...invitation })
    .execute()
  const { administratorUid, personUid: byPersonUid } = admin
  await db.insertInto('directoryExport').values({ clientUid, administratorUid, reach: '{}', plans: false }).execute()
  const upload = { clientUid, administratorUid, byPersonUid }
  const { uid: uploadUid } = await db.insertInto('upload').values(upload).returning('uid').executeTakeFirstOrThrow()
  const found = { clientUid, uploadUid, seq: 1, file: 'people.csv' }
  await db
    .insertInto('uploadPart')
    .values({ clientUid, uploadUid, file: 'people.csv', nth: 1, bytes: 1, content: Buffer.from('x') })
    .execute()
  await db
    .insertInto('uploadProblem')
    .values({ ...found, line: 2, column: 'floor', reason: 'is empty' })
    .execute()
  await db
    .insertInto('uploadChange')
    .values({ ...found, kind: 'added', title: 'P1', cells: '[]' })
    .execute()
  const wish = { clientUid, kind: 'deactivation', personUid: person }
  await db.insertInto('waitingChange').values(wish).execute()
  const absence = { clientUid, assignmentUid: warden.assignmentUid, day: '2026-01-31' }
  await db.insertInto('wardenAbsence').values(absence).execute()
  const { eventUid, manager } = await server.runningEvent(org, { alertToWarden: 'yes', broadcastMessage: 'yes' })
  await given.evacueeMessage(eventUid, person, { direction: 'in' })
  const call = await server.onDuty(warden)
  await call(logSignIn, { body: null })
  const signInUid = (await server.signInOf(eventUid, warden))?.uid as string
  await db.insertInto('wardenContact').values({ clientUid, signInUid, seenAt: new Date() }).execute()
  const place = { clientUid, eventUid, buildingUid: org.buildingUid, floorUid: org.floorUid }
  await db
    .insertInto('floorClaim')
    .values({ ...place, signInUid })
    .execute()
  await db
    .insertInto('floorOffer')
    .values({ ...place, toSignInUid: signInUid, bySignInUid: signInUid, endsAt: new Date() })
    .execute()
  await db
    .insertInto('wallLink')
    .values({
      clientUid,
      siteUid: org.siteUid,
      name: 'Lobby',
      place: 'team',
      tokenHash: randomBytes(32),
      byPersonUid: person,
      expiresAt: new Date(),
    })
    .execute()
  const instructionUid = await givenInstruction(server, eventUid, signInUid as SignInUid)
  await db.insertInto('instructionAnswer').values({ clientUid, eventUid, instructionUid, signInUid }).execute()
  await db
    .insertInto('pushPhone')
    .values({ clientUid, personUid: person, endpoint: 'https://push.test/1', endpointHash: randomBytes(32) })
    .execute()
  const { uid: reachUid } = await db
    .insertInto('reach')
    .values({ clientUid, eventUid, class: 'offer', about: instructionUid, personUid: person, nextAt: new Date() })
    .returning('uid')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('ring')
    .values({ clientUid, eventUid, reachUid, way: 'call', status: 'skipped', reason: 'Calls are not set up.' })
    .execute()
  await db.insertInto('hazard').values({ clientUid, eventUid, bySignInUid: signInUid, words: 'Gas' }).execute()
  const hash = randomBytes(32)
  const pack = { clientUid, eventUid, bySignInUid: signInUid, plans: true, expiresAt: new Date(), tokenHash: hash }
  const { uid: packUid } = await db.insertInto('arrivalPack').values(pack).returning('uid').executeTakeFirstOrThrow()
  const reader = { clientUid, packUid, readerHash: hash, name: 'Kim', network: '203.0.113.0/24', agent: 'Safari' }
  await db.insertInto('arrivalPackReader').values(reader).execute()
  await db.insertInto('planNotice').values({ clientUid, eventUid, personUid: person }).execute()
  await db
    .insertInto('planSeen')
    .values({ clientUid, eventUid, personUid: person, readerUid: warden.personUid, way: 'list' })
    .execute()
  const log = { clientUid, eventUid }
  const said = { way: 'poster', status: 'safe', saidName: 'Kim', network: '203.0.113.7', formKey: hash, at: new Date() }
  await db
    .insertInto('selfReport')
    .values({ ...log, ...said })
    .execute()
  const calls = { ...log, site: '203.0.113.0/24', count: 1, firstAt: new Date(), newestAt: new Date() }
  await db.insertInto('selfReportMore').values(calls).execute()
  await db.insertInto('selfReportPage').values({ clientUid, siteUid: org.siteUid, code: newPosterCode() }).execute()
  const { uid: evacueeUid } = (await server.evacueeOf(eventUid, person)) as { uid: EvacueeUid }
  await db.insertInto('selfLink').values({ clientUid, evacueeUid, uid: randomUUID(), tokenHash: hash }).execute()
  const kept = { kind: 'late_safe', subjectUid: person, state: '1.2.1', reason: 'Seen by both', bySignInUid: signInUid }
  await db
    .insertInto('contradictionKept')
    .values({ ...log, ...kept })
    .execute()
  await db
    .insertInto('recordLog')
    .values({ ...log, epoch: 'e', readEpoch: 'e' })
    .execute()
  const bytes = Buffer.alloc(32)
  await db
    .insertInto('logTile')
    .values({ ...log, file: 'journal', idx: 0, keys: [1], commits: bytes })
    .execute()
  await db
    .insertInto('logPerson')
    .values({ ...log, subject: person, n: 1 })
    .execute()
  await db
    .insertInto('recordHead')
    .values({ ...log, size: 1, root: bytes, note: 'n' })
    .execute()
  await db
    .insertInto('headLog')
    .values({ ...log, n: nthHead++, size: 1, root: bytes, note: 'n', hash: bytes, epoch: 'e' })
    .execute()
  return { org, warden, person, eventUid, call, manager }
}

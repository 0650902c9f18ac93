import {
  changeDirectory,
  type FormRows,
  holdDirectory,
  requireNone,
} from '#features/directory/server/change-directory.service.ts'
import type { Person } from '#features/people/calls/people.ts'
import type { PersonUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import { type Administrator, journalAdministrator, rightsOf } from '#server/administrators/administrator.ts'
import { presentPage, readSpan } from '#server/administrators/list-page.ts'
import { within } from '#server/administrators/reach.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { keyring } from '#server/platform/secrets.ts'
import type { endPlan, getPlan, listPlans, listPlanViews, savePlan } from '../calls/plans.ts'
import * as queries from './plans.queries.ts'

const mostViews = 100

/** People with a plan, without a word of it. */
export async function listRows(
  { secrets, clock }: Pick<Services, 'secrets' | 'clock'>,
  tx: Tx,
  administrator: Administrator,
  { q = '', state, ...pages }: CallInput<typeof listPlans>['query'],
): Promise<CallAnswer<typeof listPlans>> {
  const { clientUid } = administrator
  const [isWithin, name] = [within(administrator), { seals: keyring(secrets, 'listKeys'), clientUid, list: 'plans' }]
  const span = readSpan(name, pages)
  const filters = { name: q.trim(), state }
  return presentPage(name, span, await queries.listPlanRows(tx, clientUid, isWithin, filters, span), {
    keyOf: ({ lastName, firstName, uid }) => [lastName, firstName, uid],
    present: ({ uid, firstName, lastName, place, reviewOn, isOverdue, hasConsent, isUntold }) => ({
      uid,
      first_name: firstName,
      last_name: lastName,
      place,
      review_on: reviewOn,
      is_overdue: isOverdue,
      has_consent: hasConsent,
      is_untold: isUntold,
    }),
    total: await queries.countPlans(tx, clientUid, isWithin, filters),
    now: clock.now(),
  })
}

/** Plans within reach whose review day is over, or not set. */
export const countToReview = (tx: Tx, administrator: Administrator) =>
  queries.countPlans(tx, administrator.clientUid, within(administrator), { name: '', state: 'overdue' })

export async function getPerson(tx: Tx, administrator: Administrator, uid: PersonUid) {
  const person = await queries.findPlannedPerson(tx, administrator.clientUid, within(administrator), uid)
  if (!person) throw new Refusal('not_found')
  return person
}

/** 'Each view is recorded.' The caller answers after the commit, so no answer leaves without its entry. */
export async function view(
  tx: Tx,
  administrator: Administrator,
  personUid: PersonUid,
): Promise<CallAnswer<typeof getPlan>> {
  const { firstName, lastName, place, today } = await getPerson(tx, administrator, personUid)
  const plan = await queries.findPlan(tx, administrator.clientUid, personUid)
  if (plan)
    await record(tx, journalAdministrator(administrator), {
      action: 'plan_viewed',
      subjectType: 'person',
      subjectUid: personUid,
    })
  const person = { uid: personUid, first_name: firstName, last_name: lastName, place, today }
  return { person, plan: plan ? presentPlan(plan) : null }
}

const presentPlan = ({ uid, consentOn, reviewOn, createdAt, fireService, ...texts }: queries.StoredPlan) => ({
  ...texts,
  version: uid,
  consent_on: consentOn,
  review_on: reviewOn,
  fire_service: fireService === null ? null : fireService ? ('yes' as const) : ('no' as const),
  changed_at: createdAt.toISOString(),
})

/** The former plan ends, and this one begins. */
export async function save(
  { clock }: Pick<Services, 'clock'>,
  tx: Tx,
  administrator: Administrator,
  personUid: PersonUid,
  { version, ...cells }: CallInput<typeof savePlan>['body'],
): Promise<CallAnswer<typeof savePlan>> {
  const { code } = await holdPlan(tx, administrator, personUid, version)
  requireWhole(cells)
  await change(tx, administrator, clock.now(), { person: code, ...cells })
  return { status: 'saved' }
}

/** What a file may leave open, a form may not. */
function requireWhole({
  consent,
  consent_on,
  review_on,
  fire_service: _,
  ...texts
}: Omit<CallInput<typeof savePlan>['body'], 'version'>) {
  const problems = [
    ...(Object.values(texts).every((text) => text.trim() === '')
      ? [{ field: 'assistance', message: 'Fill in one of the texts, or end the plan' }]
      : []),
    ...(consent === '' ? [{ field: 'consent', message: 'Consent is needed' }] : []),
    ...(consent_on.trim() === '' ? [{ field: 'consent_on', message: 'The day of the consent is needed' }] : []),
    ...(review_on.trim() === '' ? [{ field: 'review_on', message: 'A review day is needed' }] : []),
  ].map((problem) => ({ ...problem, row: 1 }))
  const [first] = problems
  if (first)
    throw new Refusal(
      'invalid_request',
      first.message,
      problems.map(({ field }) => field),
      { problems },
    )
}

/** The plan ends, and no one reads it any more. */
export async function end(
  { clock }: Pick<Services, 'clock'>,
  tx: Tx,
  administrator: Administrator,
  personUid: PersonUid,
  { version }: CallInput<typeof endPlan>['body'],
): Promise<CallAnswer<typeof endPlan>> {
  const { code } = await holdPlan(tx, administrator, personUid, version)
  const nothing = {
    assistance: '',
    disability: '',
    other: '',
    summary: '',
    consent: '',
    consent_on: '',
    review_on: '',
    fire_service: '',
  }
  await change(tx, administrator, clock.now(), { person: code, ...nothing })
  return { status: 'ended' }
}

/** Someone has been away: their plan, if there is one, is to be looked at again. Needs no Plans permission, and shows nothing of it. */
export async function markOverdue(
  { now }: { now: Date },
  tx: Tx,
  administrator: Administrator,
  { uid, code }: { uid: PersonUid; code: string },
): Promise<void> {
  const marks = await queries.findPlanMarks(tx, administrator.clientUid, within(administrator), uid)
  // over in every zone
  if (marks && !marks.isOverdue) await change(tx, administrator, now, { person: code, review_on: 'today-2' })
}

const change = async (tx: Tx, administrator: Administrator, now: Date, row: NonNullable<FormRows['peeps']>[number]) =>
  requireNone(await changeDirectory(tx, { by: journalAdministrator(administrator), rows: { peeps: [row] }, now }))

/** The person whose plan is still the one that was read, under the lock of the directory. Throws `changed_since`. */
async function holdPlan(tx: Tx, administrator: Administrator, personUid: PersonUid, version: string | null) {
  await holdDirectory(tx, administrator.clientUid)
  const person = await getPerson(tx, administrator, personUid)
  const found = await queries.findVersion(tx, administrator.clientUid, personUid)
  if ((found?.uid ?? null) === version) return person
  const timeZone = await queries.findZone(tx, administrator.clientUid)
  throw new Refusal('changed_since', found && `Someone else changed this at ${minuteIn(found.createdAt, timeZone)}.`)
}

const minuteIn = (at: Date, timeZone: string) =>
  new Intl.DateTimeFormat('en-AU', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at)

/** Who viewed the plan, in the console or in an event, and when. */
export async function presentViews(
  tx: Tx,
  administrator: Administrator,
  personUid: PersonUid,
): Promise<CallAnswer<typeof listPlanViews>> {
  await getPerson(tx, administrator, personUid)
  const rows = await queries.listViews(tx, administrator.clientUid, personUid, mostViews)
  return rows.map(({ recordedAt, action, ...view }) => ({ at: recordedAt.toISOString(), what: action, ...view }))
}

/** How the plan of a person stands, for the person who may see plans. Null without a plan, or without the mark. */
export async function presentMarks(tx: Tx, administrator: Administrator, uid: PersonUid): Promise<Person['plan']> {
  if (!rightsOf(administrator).includes('plans')) return null
  const marks = await queries.findPlanMarks(tx, administrator.clientUid, within(administrator), uid)
  return marks ? { review_on: marks.reviewOn, is_overdue: marks.isOverdue, has_consent: marks.hasConsent } : null
}

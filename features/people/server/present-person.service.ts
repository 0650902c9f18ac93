import { asAdministrator } from '#features/authority/server/decide.ts'
import { presentAuthority } from '#features/authority/server/in-act.service.ts'
import { tellingOf } from '#features/authority/server/told.service.ts'
import { presentMarks } from '#features/peeps/server/plans.service.ts'
import { resetsPasswords } from '#features/sign-in/server/password-reset/password-reset.service.ts'
import type { PersonUid } from '#kernel/ids.ts'
import type { CallAnswer } from '#kernel/route.ts'
import type { Administrator } from '#server/administrators/administrator.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { type getPerson, type Person, signInActs } from '../calls/people.ts'
import * as queries from './person.queries.ts'
import { requirePerson } from './person.service.ts'

/** The person within reach. The transaction sees accounts. */
export async function present(
  { config, clock, jobs }: Pick<Services, 'config' | 'clock' | 'jobs'>,
  tx: Tx,
  administrator: Administrator,
  uid: PersonUid,
): Promise<CallAnswer<typeof getPerson>> {
  const { clientUid } = administrator
  const person = await requirePerson(tx, administrator, uid)
  const { changedAt, firstName, lastName, mobile, secondMobile, visitDate, onDutyAt } = person
  const assignments = await queries.listAssignmentsOf(tx, clientUid, uid)
  const telling = tellingOf({ config, jobs, now: clock.now() })
  const authority = await presentAuthority(telling, tx, asAdministrator(administrator), uid)
  return {
    uid,
    version: person.version,
    changed_at: changedAt.toISOString(),
    active: person.active,
    first_name: firstName,
    last_name: lastName,
    code: person.code,
    email: person.email,
    mobile: mobile && `+${mobile}`,
    second_mobile: secondMobile && `+${secondMobile}`,
    username: person.username,
    kind: person.kind,
    building: person.building,
    floor: person.floor,
    visit_date: visitDate,
    on_duty_at: onDutyAt,
    in_event_at: person.inEventAt,
    merged_into: person.mergedInto,
    groups: await queries.listGroupsOf(tx, clientUid, uid),
    plan: await presentMarks(tx, administrator, uid),
    assignments,
    sign_in: await presentSignIn(tx, administrator, person, {
      hasTexts: config.smsGateways.length > 0,
      hasMail: config.mail !== undefined,
      resets: resetsPasswords(config),
      isWarden: assignments.some((assignment) => isOpen(assignment, clock.now())),
    }),
    authority,
    may_change_sign_in: authority.address.refusal === null,
  }
}

/** Offered or accepted, and not past in any zone. */
const isOpen = ({ status, date_to }: Person['assignments'][number], now: Date) =>
  (status === 'Accepted' || status === 'Offered') &&
  date_to >= new Date(now.getTime() - 86_400_000).toISOString().slice(0, 10)

interface Standing {
  hasTexts: boolean
  hasMail: boolean
  /** This program resets passwords by mail. */
  resets: boolean
  isWarden: boolean
}

async function presentSignIn(
  tx: Tx,
  administrator: Administrator,
  person: queries.PersonRecord,
  { isWarden, ...standing }: Standing,
): Promise<Person['sign_in']> {
  const { clientUid } = administrator
  const { lastSignIn, sessions } = await queries.findSignIns(tx, person, clientUid)
  const invited = await queries.findOpenInvitation(tx, clientUid, person.uid)
  const byPassword = person.hasPassword && (person.accountEmail !== null || person.username !== null)
  const isNeeded = person.active && (isWarden || person.isAdministrator)
  return {
    ways: isNeeded
      ? [
          ...(byPassword ? (['password'] as const) : []),
          ...(standing.hasTexts && person.mobile ? (['mobile link'] as const) : []),
        ]
      : [],
    is_needed: isNeeded,
    has_password: person.hasPassword,
    last_sign_in: lastSignIn?.toISOString() ?? null,
    sessions,
    invited: invited ? { at: invited.at.toISOString(), by: invited.by } : null,
    second_factor: person.isAdministrator ? person.hasSecondFactor : null,
    acts: person.active ? actsOn(person, { ...standing, isNeeded }) : [],
  }
}

/** What its call would not refuse. */
function actsOn(
  person: queries.PersonRecord,
  { hasTexts, hasMail, resets, isNeeded }: Omit<Standing, 'isWarden'> & { isNeeded: boolean },
) {
  const { hasPassword, hasSecondFactor, accountEmail, email, username, isAdministrator, accountUid, mobile } = person
  const hasEmail = (accountEmail ?? email) !== null
  const may: Record<Person['sign_in']['acts'][number], boolean> = {
    invite: isNeeded && ((hasMail && hasEmail) || (hasTexts && mobile !== null && !isAdministrator)),
    show_invitation:
      isNeeded &&
      (!hasPassword || (isAdministrator && !hasSecondFactor)) &&
      (hasEmail || username !== null) &&
      !(isAdministrator && hasMail),
    password_link: resets && hasPassword && accountEmail !== null,
    sign_out: accountUid !== null,
  }
  return signInActs.filter((act) => may[act])
}

import { asOperator } from '#features/authority/server/decide.ts'
import { findGrantOf as findHeldGrant } from '#features/authority/server/power.queries.ts'
import {
  type PersonFields,
  readOrganisationFields,
  readPersonFields,
} from '#features/directory/server/form-fields.service.ts'
import { insertStaff } from '#features/organisation/server/found.queries.ts'
import { foundOrganisation } from '#features/organisation/server/found.service.ts'
import { lockOrganisation } from '#features/organisation/server/organisations.queries.ts'
import { invitationLink } from '#features/sign-in/server/invitations/invitations.service.ts'
import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import {
  findGrantOf,
  findStaff,
  getOrganisation,
  holdAdministrators,
  listStaffByEmail,
  listWithMark,
} from './administrators.queries.ts'
import { type Appointing, dropFactor, grant, tellOfMark } from './administrators.service.ts'

/** What the operator types about someone who is not in the organisation yet. Empty: not said. */
export interface OperatorNames {
  firstName: string
  lastName: string
}

export type InvitationOutcome =
  | { outcome: 'invited'; link: string }
  /** They sign in with the password that they have. */
  | { outcome: 'has_password' }
  | { outcome: 'unknown_organisation' | 'unknown_person' | 'two_people' }

/** Without mail, so that the link is printed instead of sent. */
const printing = (app: Appointing): Appointing => ({ ...app, config: { ...app.config, mail: undefined } })
const operator = (clientUid: ClientUid) => ({ acting: asOperator(clientUid), name: 'The operator' })

/** An organisation with its defaults, and the link for its first administrator. Throws Refusal for a bad field. */
export async function create(
  system: Db,
  app: Appointing,
  fields: { code: string; name: string; country: string; timezone: string; email: string } & OperatorNames,
): Promise<InvitationOutcome> {
  const { code, name, timezone, country } = readOrganisationFields({
    code: fields.code,
    name: fields.name,
    country: fields.country,
    timezone: fields.timezone,
  })
  const person = readNames(fields, fields.email, country)
  return system.transaction().execute(async (tx) => {
    const clientUid = await foundOrganisation(tx, { code, name, timezone, country, contactEmail: person.email })
    return appointWhole(app, tx, clientUid, await insertStaff(tx, { clientUid, ...person }))
  })
}

const readNames = ({ firstName, lastName }: OperatorNames, email: string, country: string): PersonFields =>
  readPersonFields({ first_name: firstName, last_name: lastName, email, mobile: '' }, country)

/** The organisation, locked, and the member of staff with this address, if there is one. Else why no one can be meant. */
async function findMeant(tx: Tx, { code, email }: { code: string; email: string }) {
  const organisation = await lockOrganisation(tx, code)
  if (!organisation) return { failed: 'unknown_organisation' as const }
  const [known, other] = await listStaffByEmail(tx, organisation.uid, email)
  return other ? { failed: 'two_people' as const } : { clientUid: organisation.uid, known }
}

/** Makes someone an administrator of the whole organisation. Someone new needs names. */
export function inviteAdministrator(
  system: Db,
  app: Appointing,
  { code, email, ...names }: { code: string; email: string } & OperatorNames,
): Promise<InvitationOutcome> {
  return system.transaction().execute(async (tx): Promise<InvitationOutcome> => {
    const meant = await findMeant(tx, { code, email })
    if (meant.failed) return { outcome: meant.failed }
    const { clientUid, known } = meant
    if (known) return appointWhole(app, tx, clientUid, known.personUid)
    if (!names.firstName && !names.lastName) return { outcome: 'unknown_person' }
    const { country } = await getOrganisation(tx, clientUid)
    return appointWhole(app, tx, clientUid, await insertStaff(tx, { clientUid, ...readNames(names, email, country) }))
  })
}

/** The Plans permission comes with it if no one has it: no one else could give it. */
async function appointWhole(
  app: Appointing,
  tx: Tx,
  clientUid: ClientUid,
  personUid: PersonUid,
): Promise<InvitationOutcome> {
  await holdAdministrators(tx, clientUid)
  const before = await findGrantOf(tx, clientUid, personUid)
  const seesPlans = before?.seesPlans || (await listWithMark(tx, clientUid)).length === 0
  const wanted = { clientUid, personUid, reach: 'organisation' as const, siteUid: null, groupUid: null, seesPlans }
  const { invitationUid } = await grant(printing(app), tx, operator(clientUid), wanted)
  if (!invitationUid) return { outcome: 'has_password' }
  return { outcome: 'invited', link: invitationLink(app.secrets.invitations, app.config.appUrl)(invitationUid) }
}

/** The second factor of someone whom no other administrator can help. */
export function resetFactorOf(
  system: Db,
  app: Appointing,
  { code, email }: { code: string; email: string },
): Promise<InvitationOutcome> {
  return system.transaction().execute(async (tx): Promise<InvitationOutcome> => {
    const meant = await findMeant(tx, { code, email })
    if (meant.failed) return { outcome: meant.failed }
    const { clientUid, known } = meant
    const staff = known && (await findStaff(tx, clientUid, known.personUid))
    if (!staff?.accountUid) return { outcome: 'unknown_person' }
    const { accountUid, personUid } = staff
    const invitationUid = await dropFactor(app, tx, asOperator(clientUid), { accountUid, personUid })
    return { outcome: 'invited', link: invitationLink(app.secrets.invitations, app.config.appUrl)(invitationUid) }
  })
}

/** Lets an administrator see plans, for an organisation where no one may allow it any more. Everyone who may see plans is told. */
export function allowPlansTo(
  system: Db,
  app: Appointing,
  { code, email }: { code: string; email: string },
): Promise<InvitationOutcome | { outcome: 'no_grant' }> {
  return system.transaction().execute(async (tx): Promise<InvitationOutcome | { outcome: 'no_grant' }> => {
    const meant = await findMeant(tx, { code, email })
    if (meant.failed) return { outcome: meant.failed }
    const { clientUid, known } = meant
    if (!known) return { outcome: 'unknown_person' }
    const { personUid } = known
    await holdAdministrators(tx, clientUid)
    const held = await findHeldGrant(tx, clientUid, personUid)
    if (!held) return { outcome: 'no_grant' }
    if (held.seesPlans) return { outcome: 'has_password' }
    const { reach, siteUid, groupUid } = held
    const wanted = { clientUid, personUid, reach, siteUid, groupUid, seesPlans: true }
    const { invitationUid } = await grant(app, tx, operator(clientUid), wanted)
    await tellOfMark(app, tx, clientUid, personUid, 'the operator')
    if (!invitationUid || app.config.mail) return { outcome: 'has_password' }
    return { outcome: 'invited', link: invitationLink(app.secrets.invitations, app.config.appUrl)(invitationUid) }
  })
}

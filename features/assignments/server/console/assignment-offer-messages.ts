import { dayOf } from '#features/administrators/server/administrator-mails.service.ts'
import { queueMail } from '#features/mail/server/mail.service.ts'
import { takeMails } from '#features/mail/server/mail-limits.service.ts'
import type { AssignmentUid, ClientUid } from '#kernel/ids.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { fill } from '#server/platform/fill.ts'
import * as queries from './assignment-offers.queries.ts'

interface Told {
  from: string
  to: string
  role: queries.OfferedRole
  site: { name: string }
  offers: readonly (queries.OfferedPerson & { assignmentUid: AssignmentUid; placeNames: readonly string[] })[]
}

const daysOfMail = 7

/**
 * Tells people of an offer by mail, or by text where there is no address or no mail. Returns how many are
 * told.
 */
export async function tellOfOffers(
  app: Services,
  tx: Tx,
  { clientUid, personUid }: { clientUid: ClientUid; personUid: string | null },
  told: Told,
): Promise<number> {
  const { name, smsAllowed } = await queries.getOrganisation(tx, clientUid)
  const byMail = told.offers.filter(({ email }) => app.config.mail && email)
  const to = byMail.map(({ email }) => email as string)
  const wish = { clientUid, personUid, kind: 'offer' as const, to, isBulk: to.length > 1 }
  await takeMails(tx, app.clock.now(), wish)
  for (const offer of byMail) await mail(app, tx, name, told, offer)
  const byText = told.offers.filter((offer) => !byMail.includes(offer) && offer.mobile)
  if (byText.length === 0 || app.config.smsGateways.length === 0) return byMail.length
  const { role, from } = told
  const body = fill('All Wardens: {name} asks you to be {role} from {day}. Sign in with this number: {address}', {
    name,
    role: role.name,
    day: dayOf(from),
    address: `${app.config.appUrl}/login`,
  })
  const people = byText.map(({ uid }) => uid)
  const texted = await queries.queueOfferTexts(tx, clientUid, people, { body, isAllowed: smsAllowed })
  await app.jobs.enqueue(tx, 'texts', { client_uid: clientUid })
  return byMail.length + texted
}

function mail(
  { config, jobs, clock }: Services,
  tx: Tx,
  organisation: string,
  { role, site, from, to }: Told,
  { email, accountUid, assignmentUid, placeNames }: Told['offers'][number],
): Promise<void> {
  const place = placeNames.length > 0 ? placeNames.join(', ') : site.name
  const link = `${config.appUrl}/warden-assignment/${assignmentUid}`
  return queueMail(jobs, tx, {
    kind: 'offer',
    accountUid,
    toEmail: email,
    subject: fill('{organisation} asks you to be {role}', { organisation, role: role.name }),
    body: fill('{from} to {to}, {place}. Accept or decline:\n{address}\n\n{organisation}, All Wardens', {
      from: dayOf(from),
      to: dayOf(to),
      place,
      address: link,
      organisation,
    }),
    passwordResetUid: null,
    invitationUid: null,
    validUntil: new Date(clock.now().getTime() + daysOfMail * 86_400_000),
  })
}

import { dayOf } from '#features/administrators/server/administrator-mails.service.ts'
import { queueMail } from '#features/mail/server/mail.service.ts'
import type { AssignmentUid, ClientUid } from '#kernel/ids.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import * as queries from './assignment-offers.queries.ts'

interface Told {
  from: string
  to: string
  role: queries.OfferedRole
  site: { name: string }
  placeNames: readonly string[]
  offers: readonly (queries.OfferedPerson & { assignmentUid: AssignmentUid })[]
}

const daysOfMail = 7

/**
 * Tells people of an offer by mail, or by text where there is no address or no mail. Returns how many are
 * told.
 */
export async function tellOfOffers(
  app: Services,
  tx: Tx,
  { clientUid }: { clientUid: ClientUid },
  told: Told,
): Promise<number> {
  const { name, smsAllowed } = await queries.getOrganisation(tx, clientUid)
  const byMail = told.offers.filter(({ email }) => app.config.mail && email)
  for (const offer of byMail) await mail(app, tx, name, told, offer)
  const byText = told.offers.filter((offer) => !byMail.includes(offer) && offer.mobile)
  if (byText.length === 0 || app.config.smsGateways.length === 0) return byMail.length
  const { role, from } = told
  const body = `All Wardens: ${name} asks you to be ${role.name} from ${dayOf(from)}. Sign in with this number: ${app.config.appUrl}/login`
  const people = byText.map(({ uid }) => uid)
  const texted = await queries.queueOfferTexts(tx, clientUid, people, { body, isAllowed: smsAllowed })
  await app.jobs.enqueue(tx, 'texts', { client_uid: clientUid })
  return byMail.length + texted
}

function mail(
  { config, jobs, clock }: Services,
  tx: Tx,
  organisation: string,
  { role, site, placeNames, from, to }: Told,
  { email, accountUid, assignmentUid }: Told['offers'][number],
): Promise<void> {
  const place = placeNames.length > 0 ? placeNames.join(', ') : site.name
  const link = `${config.appUrl}/warden-assignment/${assignmentUid}`
  return queueMail(jobs, tx, {
    kind: 'offer',
    accountUid,
    toEmail: email,
    subject: `${organisation} asks you to be ${role.name}`,
    body: `${dayOf(from)} to ${dayOf(to)}, ${place}. Accept or decline: ${link}\n\n${organisation}, All Wardens`,
    passwordResetUid: null,
    invitationUid: null,
    validUntil: new Date(clock.now().getTime() + daysOfMail * 86_400_000),
  })
}

import { sql } from 'kysely'
import type { Db } from '#server/platform/db/db.ts'

interface NewSimulatedMail {
  uid: string
  toEmail: string
  subject: string
  body: string
}

/** Stores a mail once, however often it is sent. */
export async function insertSimulatedMail(system: Db, mail: NewSimulatedMail): Promise<void> {
  await system
    .insertInto('simulatedMail')
    .values(mail)
    .onConflict((oc) => oc.column('uid').doNothing())
    .execute()
}

interface SimulatedMailRow {
  uid: string
  subject: string
  body: string
  receivedAt: Date
}

/** Mails to the holders of this phone, at their sign-in address or their stored address. */
export async function listMails(system: Db, mobile: string): Promise<SimulatedMailRow[]> {
  const { rows } = await sql<SimulatedMailRow>`
    select uid, subject, body, received_at from simulated_mail
    where lower(to_email) in (
      select lower(coalesce(a.email, p.email)) from person p left join account a on a.uid = p.account_uid
      where p.mobile = ${mobile} and p.active)
    order by received_at desc, uid limit 200`.execute(system)
  return rows
}

import { queueMail } from '#features/mail/server/mail.service.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { JobQueue } from '#server/platform/db/jobs.ts'
import { asValue } from '#server/platform/fill.ts'
import { type CoverageGap, listGaps, listManagers } from './coverage-ahead-mails.queries.ts'

export interface CoverageMailing {
  system: Db
  config: Pick<Config, 'mail' | 'appUrl'>
  jobs: JobQueue
}

/** A mail names the first floors; the page has all. */
const mostNamed = 30

/**
 * Mails event managers in the afternoon which floors have no warden tomorrow. The key of a mail lets one through for
 * each manager and day, however many workers run and however often that hour comes.
 */
export async function mailAboutTomorrow(
  app: CoverageMailing,
  onTrouble: (error: unknown) => void,
  now: Date = new Date(),
): Promise<void> {
  if (!app.config.mail) return
  for (const gap of await listGaps(app.system, now)) await mailGap(app, gap, now).catch(onTrouble)
}

async function mailGap({ system, config, jobs }: CoverageMailing, gap: CoverageGap, now: Date): Promise<void> {
  const managers = await listManagers(system, gap, now)
  const { siteUid, siteName, day, floors } = gap
  const more = floors.length - mostNamed
  const named = floors.slice(0, mostNamed).map(asValue).join('\n')
  await system.transaction().execute(async (tx) => {
    for (const { personUid, accountUid, email } of managers)
      await queueMail(jobs, tx, {
        kind: 'coverage',
        accountUid,
        toEmail: email,
        passwordResetUid: null,
        onceKey: `coverage ${siteUid} ${day} ${personUid}`,
        subject: `${floors.length} ${floors.length === 1 ? 'floor' : 'floors'} without a warden tomorrow`,
        body: `${asValue(siteName)}\n\n${named}${more > 0 ? `\nand ${more} more` : ''}\n\n${config.appUrl}/coverage?day=${day}`,
        // tomorrow's floors are of no use the day after
        validUntil: new Date(now.getTime() + 9 * 3_600_000),
      })
  })
}

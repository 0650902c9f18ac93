import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { mailOwedLinks } from '#features/administrators/server/owed-links.service.ts'
import { makeDue } from '#features/assignments/server/deferred-changes/deferred-changes.service.ts'
import { feedDirectory } from '#features/cells/server/directory/feed.service.ts'
import { instructionReaches } from '#features/command/server/instruction-reaches.queries.ts'
import { watchCommand } from '#features/command/server/watch-contact.service.ts'
import { mailAboutTomorrow } from '#features/coverage/server/ahead/coverage-ahead-mails.service.ts'
import { joinWhoseDayHasCome } from '#features/events/server/event-wardens.service.ts'
import { dropExpiredExports, makeDueExports } from '#features/exports/server/export-work.service.ts'
import { checkDueLogs, mailAboutLogs } from '#features/log/server/checking/check-logs.service.ts'
import { mailHeads } from '#features/log/server/head-mails/head-mails.service.ts'
import { signDueHeads, stampHeads } from '#features/log/server/heads.service.ts'
import { logWork } from '#features/log/server/log.service.ts'
import { markRunning } from '#features/log/server/outages/outages.service.ts'
import { openSigner, verifierKey } from '#features/log/server/signed-note.ts'
import { askWitnesses } from '#features/log/server/witnesses/witnesses.service.ts'
import { createMailTransport, sendDueMails } from '#features/mail/server/mail.service.ts'
import { receiveReply } from '#features/messaging/server/receive-reply.service.ts'
import { forget } from '#features/operation/server/retention/retention.service.ts'
import { tellWhosePlanWasOpened } from '#features/peeps/server/access/send-notices.service.ts'
import { sendDueAlerts } from '#features/reach/server/push/send-alerts.service.ts'
import { openVapid } from '#features/reach/server/push/vapid.ts'
import { sweepReaches } from '#features/reach/server/sweep.service.ts'
import { readLoggedAdditions } from '#features/records/server/additions.service.ts'
import { mailAboutRecords } from '#features/records/server/mails/record-mails.service.ts'
import { writeDueRecords } from '#features/records/server/record-work.service.ts'
import { recountOld } from '#features/records/server/recount/recount.service.ts'
import { sealAnew } from '#features/sign-in/server/console/former-keys.service.ts'
import { openGateways } from '#features/texts/server/gateways/gateways.ts'
import { passOnReplies, type ReceiveReply } from '#features/texts/server/inbound/inbound.service.ts'
import type { meterTexts } from '#features/texts/server/sms.metrics.ts'
import { sendDueTexts } from '#features/texts/server/sms.service.ts'
import { dropExpiredArchives, makeDueArchives } from '#features/uploads/server/export/export-work.service.ts'
import { workInThread } from '#features/uploads/server/upload-threads.service.ts'
import { dropOldUploads } from '#features/uploads/server/upload-work.service.ts'
import { openCalling } from '#features/voice/server/make-calls.service.ts'
import { mailLinks, textSources } from './link-sources.ts'
import type { Config } from './platform/config/config.ts'
import type { Connection, Pool } from './platform/db/db.ts'
import type { Chores, Jobs } from './platform/db/jobs.ts'
import { forgetOldCounts } from './platform/db/throttle.ts'
import type { Service } from './platform/observability/watch-services.ts'
import { openOutgoing } from './platform/outgoing.ts'
import type { Secrets } from './platform/secrets.ts'
import { servicesOf } from './services-of.ts'

interface WorkerNeeds {
  app: FastifyInstance
  config: Config
  connection: Connection
  jobs: Jobs
  log: Logger
  onTrouble: (error: unknown) => void
  /** A pool of its own, so that thousands of texts do not delay a sign-in. */
  pool: Pool
  refreshStatistics: () => void
  secrets: Secrets
  textMetrics: ReturnType<typeof meterTexts>
}

interface Worker {
  /** Gateways and mail server, for the health checks. */
  services: Service[]
  /** Begins to run jobs. */
  start: () => Promise<unknown>
  close: () => Promise<unknown>
}

/** The role `worker`: sends texts and mails, processes replies, and deletes data past its retention. */
export function openWorker(needs: WorkerNeeds): Worker {
  const { app, config, jobs, log, onTrouble, pool, refreshStatistics, secrets, textMetrics } = needs
  const { appUrl, smsBudgets: budgets } = config
  const system = pool.db
  const onBack = () => jobs.sweepTexts()
  const gateway = openGateways({ system, jobs, metrics: app.metrics }, config, {
    onTrouble,
    onTry: textMetrics.noteTry,
    onBack,
  })
  const transport = createMailTransport(system, config)
  const sending = {
    system,
    gateway,
    ...textSources(system, secrets),
    appUrl,
    budgets,
    metrics: textMetrics,
    onTrouble,
    refreshStatistics,
  }
  const mailing = {
    system,
    transport,
    onTrouble,
    ...mailLinks(system, secrets, appUrl),
  }
  const receive: ReceiveReply = ({ gateway, providerId, fromMobile, body, receivedAt, sentAt, media }) =>
    receiveReply(app, {
      providerId: `${gateway}:${providerId}`,
      fromNumber: fromMobile,
      text: body,
      media,
      receivedAt: sentAt ?? receivedAt,
    })
  const tools = { sending, mailing, receive, signer: openSigner(secrets.recordLog, appUrl) }
  const nightly = async () => {
    log.info(await forget(pool, config.retention), 'housekeeping')
    await checkDueLogs(system, readLoggedAdditions, onTrouble)
  }
  return {
    services: servicesOf(gateway.gateways, transport, app.cells),
    start: () => jobs.work({ nightly, chores: choresOf(needs, tools) }),
    close: () => gateway.close(),
  }
}

interface Tools {
  sending: Parameters<typeof sendDueTexts>[0] & { gateway: ReturnType<typeof openGateways> }
  mailing: Parameters<typeof sendDueMails>[0]
  receive: ReceiveReply
  signer: ReturnType<typeof openSigner>
}

/** How people are reached until they answer: the steps, alerts on phones, and calls. */
function reachChoresOf(
  { config, jobs, onTrouble, pool, secrets, textMetrics: metrics }: WorkerNeeds,
  gateway: ReturnType<typeof openGateways>,
) {
  const system = pool.db
  const callOut = openOutgoing(config)
  const vapid = config.webPushContact ? openVapid(secrets.webPush, config.webPushContact) : undefined
  const { voice: limits, smsBudgets: budgets } = config
  const call = openCalling({ system, gateway, limits, ofDay: budgets.calls, metrics, onTrouble })
  return {
    reach: {
      everyMs: 1_000,
      run: () =>
        sweepReaches({
          system,
          jobs,
          appUrl: config.appUrl,
          canPush: vapid !== undefined,
          canCall: gateway.call !== undefined,
          sources: [instructionReaches],
        }),
    },
    alerts: {
      everyMs: 1_000,
      run: async (stopping?: AbortSignal) => vapid && sendDueAlerts({ system, vapid, callOut, onTrouble }, stopping),
    },
    calls: { everyMs: 1_000, run: call },
  }
}

/** The table of chores: what a worker does over and over, and when. */
function choresOf(needs: WorkerNeeds, { sending, mailing, receive, signer }: Tools): Chores {
  const { app, config, connection, jobs, onTrouble, pool, secrets } = needs
  const system = pool.db
  const callOut = openOutgoing(config)
  const authority = config.tsaUrl ? { url: config.tsaUrl, callOut } : undefined
  const signing = { system, signer, documents: app.documents }
  const documents = { dataDir: config.dataDir, documentsBucket: config.documentsBucket }
  const sends = { mails: config.mail !== undefined, texts: config.smsGateways.length > 0 }
  return {
    texts: { inJob: true, run: (stopping) => sendDueTexts(sending, stopping) },
    // a queue of its own, so as not to wait behind 100,000 outgoing texts
    replies: { inJob: true, run: (stopping) => passOnReplies(system, receive, onTrouble, stopping) },
    mails: { inJob: true, run: (stopping) => sendDueMails(mailing, stopping) },
    ...reachChoresOf(needs, sending.gateway),
    command: { run: () => watchCommand({ system, jobs, appUrl: config.appUrl, announce: app.announce }) },
    sealing: { everyMs: 10_000, run: logWork({ ...signing, onTrouble }) },
    // apart from sealing, too: the file store and others may take their time
    heads: { everyMs: 10_000, run: () => signDueHeads(signing, onTrouble) },
    outside: {
      everyMs: 60_000,
      run: async () => {
        await askWitnesses({ ...signing, callOut, witnesses: config.logWitnesses }, onTrouble)
        if (authority) await stampHeads(system, authority, onTrouble)
      },
    },
    directory: {
      everyMs: 30_000,
      run: async () => config.directory && feedDirectory({ system, callOut, directory: config.directory }),
    },
    // apart from sealing: a round of that may take longer than an outage
    marks: { everyMs: 10_000, run: () => markRunning(system) },
    waiting: { run: () => makeDue({ system, config, jobs }, onTrouble) },
    records: {
      run: async (stopping) => {
        await writeDueRecords(signing, onTrouble, stopping)
        await recountOld(system, onTrouble, stopping)
        await mailAboutRecords({ system, config, jobs, key: verifierKey(signer) }, onTrouble)
      },
    },
    exports: {
      run: (stopping) => makeDueExports({ ...signing, connection, fontsDir: config.pdfFontsDir }, onTrouble, stopping),
    },
    directory_exports: {
      run: (stopping) => makeDueArchives({ system, connection, store: app.documents, documents }, onTrouble, stopping),
    },
    uploads: {
      run: (stopping) =>
        workInThread({ system, announce: app.announce, onTrouble, connection, documents, sends }, stopping),
    },
    minutely: {
      everyMs: 60_000,
      run: async () => {
        await forgetOldCounts(system)
        await mailHeads({ system, config, jobs }, onTrouble)
        await mailAboutLogs({ system, config, jobs }, onTrouble)
        await mailOwedLinks({ system, config, jobs, secrets }, onTrouble)
        await sealAnew(system, secrets)
        await joinWhoseDayHasCome(system, onTrouble)
        await mailAboutTomorrow({ system, config, jobs }, onTrouble)
        await tellWhosePlanWasOpened({ system, jobs, hasMail: Boolean(config.mail), key: secrets.planNotices })
        await dropOldUploads(system)
        await dropExpiredExports(system, app.documents)
        await dropExpiredArchives(system, app.documents)
      },
    },
  }
}

import { checkAllLogs } from '#features/log/server/checking/check-logs.service.ts'
import { readLoggedAdditions } from '#features/records/server/additions.service.ts'
import { withMigrated } from './with-database.ts'

/**
 * Compares the logs of all events with their rows and with the heads that were signed, now and not only at night. Says of each that
 * does not fit where. Exit code 1 if one does not.
 */
await withMigrated(async ({ system }) => {
  const { logs, broken } = await checkAllLogs(system, readLoggedAdditions, console.log)
  console.log(broken > 0 ? `${broken} of ${logs} logs do not fit.` : `${logs} logs: all is as logged.`)
  if (broken > 0) process.exitCode = 1
})

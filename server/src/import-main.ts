import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from './config.ts'
import { importOrganisation, NotJoined } from './features/directory/import.service.ts'
import { describeReport } from './features/directory/import-report.ts'
import { progressBar } from './features/directory/progress-bar.ts'
import { openDatabase } from './platform/database.ts'
import { openPool } from './platform/db.ts'
import { loggedError } from './platform/logged-error.ts'
import { HalfRestored, migrate, refreshStatistics, refuseHalfRestored } from './platform/migrate.ts'
import { openDocumentStore } from './platform/open-document-store.ts'
import { ConfigError } from './platform/settings.ts'

const usage = `Usage: npm run import -- FOLDER [--dry-run] [--deactivate-missing]

Loads one organisation from the CSV files of FOLDER (docs/import-format.md).
  --dry-run              tells what would change and changes nothing
  --deactivate-missing   ends people and assignments that the files no longer have`

process.exitCode = await main(process.argv.slice(2))

/** Exit code: 0 done, 1 errors (nothing was written), 2 not called as it should be. */
async function main(args: string[]): Promise<number> {
  try {
    const options = readArguments(args)
    if (!options) return usageError()
    const report = await runImport(options)
    const failed = report.errors.length > 0
    ;(failed ? console.error : console.log)(describeReport(report))
    return failed ? 1 : 0
  } catch (error) {
    console.error(describeFailure(error as Error))
    return 1
  }
}

function describeFailure(error: Error): string {
  if (error instanceof ConfigError || error instanceof HalfRestored) return error.message
  if (error instanceof NotJoined) return `${error.message}\n${loggedError(error.cause as Error).stack}`
  return `The import failed, nothing was written: ${loggedError(error).stack}`
}

function usageError(): number {
  console.error(usage)
  return 2
}

type Options = NonNullable<ReturnType<typeof readArguments>>

function readArguments(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { 'dry-run': { type: 'boolean' }, 'deactivate-missing': { type: 'boolean' } },
    })
    const [folder, ...more] = positionals
    if (!folder || more.length > 0) return undefined
    return {
      folder: resolve(folder),
      dryRun: values['dry-run'] ?? false,
      deactivateMissing: values['deactivate-missing'] ?? false,
    }
  } catch (error) {
    console.error((error as Error).message)
    return undefined
  }
}

async function runImport(options: Options) {
  const config = readConfig()
  const database = await openDatabase(config, { info: () => undefined, warn: console.warn })
  const owner = openPool(database.connection, undefined, 1)
  const system = openPool(database.connection, 'evac_system', 1)
  try {
    await refuseHalfRestored(owner.db)
    await migrate(owner.db)
    const documents = await openDocumentStore(config)
    const onProgress = progressBar(process.stderr)
    const report = await importOrganisation({ ...options, db: system.db, documents, onProgress })
    // what it saves is speed alone: the database sees to it by itself within a minute
    if (!options.dryRun && report.errors.length === 0) await refreshStatistics(owner.db).catch(console.warn)
    return report
  } finally {
    await system.close()
    await owner.close()
    await database.stop()
  }
}

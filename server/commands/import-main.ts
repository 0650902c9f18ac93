import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { wishesFor } from '#features/assignments/server/deferred-changes/deferred-changes.service.ts'
import { importOrganisation } from '#features/directory/server/import.service.ts'
import { describeReport } from '#features/directory/server/import-report.ts'
import { progressBar } from '#features/directory/server/progress-bar.ts'
import { NotJoined } from '#features/directory/server/write-tables.ts'
import { answersWords } from '../platform/command-line.ts'
import { refreshStatistics } from '../platform/db/migrate.ts'
import { openDocumentStore } from '../platform/documents/open-document-store.ts'
import { loggedError } from '../platform/observability/logged-error.ts'
import { isOperatorError, withMigrated } from './with-database.ts'

const usage = `Usage: npm run import -- FOLDER [--dry-run [--all]] [--deactivate-missing [--yes-end N]] [--new-organisation]

Loads one organisation from the CSV files of FOLDER (docs/import-format.md).
  --dry-run              lists by name what would change, and changes nothing
  --all                  lists every row instead of the first 20 of each kind
  --deactivate-missing   ends people and assignments that are missing from the files
  --yes-end N            allows N people and assignments to end; without it at most 20 and at most 10% of all
  --new-organisation     creates a further organisation with the code in the files
  --new-database         creates the database in DATA_DIR if there is none and DATABASE_URL is not set
  --help, --version

Exit code: 0 done, 1 errors in the files (nothing was written) or a failure (the output says how far the import got),
2 wrong usage, 3 rejected until an option confirms the change (nothing was written).`

const words = process.argv.slice(2)
process.exitCode = answersWords(words, usage) ? 0 : await main(words)

async function main(args: string[]): Promise<number> {
  try {
    const options = readArguments(args)
    if (!options) return say(usage, 2)
    const report = await runImport(options)
    const code = report.errors.length > 0 ? 1 : report.refused.length > 0 ? 3 : 0
    return say(describeReport(report, options), code, code === 0 || (report.dryRun && code === 3))
  } catch (error) {
    return say(describeFailure(error as Error), 1)
  }
}

function say(text: string, code: number, isAnswer = code === 0): number {
  ;(isAnswer ? console.log : console.error)(text)
  return code
}

function describeFailure(error: Error): string {
  if (isOperatorError(error)) return error.message
  if (error instanceof NotJoined) return `${error.message}\n${loggedError(error.cause as Error).stack}`
  return `The import failed. Rows already written stay. Import the same files again to continue.\n${loggedError(error).stack}`
}

type Options = NonNullable<ReturnType<typeof readArguments>>

function readArguments(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        'dry-run': { type: 'boolean', default: false },
        all: { type: 'boolean', default: false },
        'deactivate-missing': { type: 'boolean', default: false },
        'yes-end': { type: 'string', default: '0' },
        'new-organisation': { type: 'boolean', default: false },
        'new-database': { type: 'boolean', default: false },
      },
    })
    const [folder, ...more] = positionals
    if (!folder || more.length > 0) return undefined
    if (!/^\d{1,9}$/.test(values['yes-end'])) throw new Error(`--yes-end is '${values['yes-end']}': use a number.`)
    return {
      folder: resolve(folder),
      dryRun: values['dry-run'],
      all: values.all,
      deactivateMissing: values['deactivate-missing'],
      mayEnd: Number(values['yes-end']),
      mayBeNew: values['new-organisation'],
      makesNew: values['new-database'],
    }
  } catch (error) {
    console.error((error as Error).message)
    return undefined
  }
}

function runImport({ makesNew, ...options }: Options) {
  return withMigrated(
    async ({ owner, system }, config) => {
      const documents = await openDocumentStore(config)
      const onProgress = progressBar(process.stderr)
      const ways = { texts: config.smsGateways.length > 0, mails: config.mail !== undefined }
      const wishes = wishesFor(null)
      const report = await importOrganisation({ ...options, db: system, documents, ways, onProgress, wishes })
      // Fresh statistics save time alone: PostgreSQL collects them by itself within a minute.
      const wrote = report.files.some(({ created, updated }) => created + updated > 0)
      if (!options.dryRun && wrote) await refreshStatistics(owner).catch(console.warn)
      return report
    },
    { makesNew },
  )
}

import { answersWords } from '../platform/command-line.ts'
import { openPool } from '../platform/db/db.ts'
import { version } from '../platform/version.ts'
import { fault, report } from './doctor/finding.ts'
import { checkUpgrade, judgeVersion, readPresentVersion } from './upgrade/upgrade.check.ts'
import { isOperatorError, withDatabase } from './with-database.ts'

const usage = `Usage: npm run upgrade-check

Run it in the folder of the new version. Says whether the version that runs, and its database, may go to this one, and whether an
event runs. Changes nothing.
  --help, --version
Exit code: 0 it may, 1 it may not, 2 wrong usage.`

const words = process.argv.slice(2)
process.exitCode = answersWords(words, usage) ? 0 : await main()

async function main(): Promise<number> {
  if (words.length > 0) {
    console.error(usage)
    return 2
  }
  try {
    const wrong = await withDatabase(async (connection, config) => {
      const pool = openPool(connection, undefined, 1)
      try {
        const judged = judgeVersion(await readPresentVersion(config.appUrl), version)
        return report([judged, ...(await checkUpgrade(pool.db, config))])
      } finally {
        await pool.close()
      }
    })
    console.log(wrong > 0 ? 'Do not upgrade to this version.' : 'This version may take over.')
    return wrong > 0 ? 1 : 0
  } catch (error) {
    if (!isOperatorError(error)) throw error
    report([fault((error as Error).message)])
    return 1
  }
}

import { parseArgs } from 'node:util'
import { listAll, resume, suspend } from '../features/organisations/organisations.service.ts'
import { answersWords } from '../platform/command-words.ts'
import type { Db } from '../platform/db/db.ts'
import { loggedError } from '../platform/observability/logged-error.ts'
import { isOperatorError, withMigrated } from './with-database.ts'

const usage = `Usage: npm run organisation -- list
       npm run organisation -- suspend CODE [--even-in-event]
       npm run organisation -- resume CODE

  list      codes and names, people, running events
  suspend   prevents sign-ins, ends sessions and stops texts; nothing is deleted.
            Rejected during an event, unless --even-in-event is given
  resume    ends the suspension
  --help, --version

Exit code: 0 done, 1 not done, 2 wrong usage.`

const words = process.argv.slice(2)
process.exitCode = answersWords(words, usage) ? 0 : await main(words)

async function main(args: string[]): Promise<number> {
  const work = readArguments(args)
  if (!work) return say(usage, 2)
  try {
    return await withMigrated(({ system }) => work(system))
  } catch (error) {
    return say(isOperatorError(error) ? (error as Error).message : `${loggedError(error as Error).stack}`, 1)
  }
}

function say(text: string, code: number): number {
  ;(code === 0 ? console.log : console.error)(text)
  return code
}

type Work = (system: Db) => Promise<number>

function readArguments(args: string[]): Work | undefined {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        'even-in-event': { type: 'boolean', default: false },
      },
    })
    const [command, code, ...more] = positionals
    if (more.length > 0) return undefined
    if (command === 'list' && !code) return sayList
    if (command === 'suspend' && code) return (system) => saySuspended(system, code, values['even-in-event'])
    if (command === 'resume' && code) return (system) => sayResumed(system, code)
  } catch (error) {
    console.error((error as Error).message)
  }
  return undefined
}

async function sayList(system: Db): Promise<number> {
  const lines = (await listAll(system)).map(({ code, name, active, people, events }) =>
    [code, name, `${people} people`, ...(events ? [`${events} running`] : []), ...(active ? [] : ['suspended'])].join(
      ', ',
    ),
  )
  return say(lines.join('\n') || 'There is no organisation.', 0)
}

async function saySuspended(system: Db, code: string, evenInEvent: boolean): Promise<number> {
  const outcome = await suspend(system, code, { evenInEvent })
  if (outcome === 'unknown') return say(`No organisation has the code '${code}'.`, 1)
  if (outcome === 'event')
    return say(`${code} has a running event: nothing was changed. To suspend it anyway, add --even-in-event.`, 1)
  return say(`${code} is suspended.`, 0)
}

async function sayResumed(system: Db, code: string): Promise<number> {
  const outcome = await resume(system, code)
  return outcome === 'done'
    ? say(`${code} is no longer suspended.`, 0)
    : say(`No organisation has the code '${code}'.`, 1)
}

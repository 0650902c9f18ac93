import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { startDirectory } from '#features/cells/server/directory/directory.ts'
import { answersWords } from './platform/command-line.ts'
import { type Config, readConfig } from './platform/config/config.ts'
import { type RunningServer, startServer } from './server.ts'
import { explainStart } from './start-trouble.ts'

const usage = `Usage: npm start

Starts Evac with the settings of the environment, or of the file .env in the project's folder (README.md has them all).
Without any it brings up a database of its own under ./data and a demo, for this machine alone.
  -- --help, -- --version`

const words = process.argv.slice(2)
if (answersWords(words, usage)) process.exit(0)
if (words.length > 0) {
  console.error(usage)
  process.exit(2)
}

let config: Config | undefined
let server: RunningServer | undefined
let isStopping = false
// SIGHUP: the terminal was closed. A signal during the start is obeyed after it, or the embedded database would stay behind.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    // a second signal changes nothing: the first is being obeyed, the database last
    if (server && !isStopping) void stop(server)
    isStopping = true
  })

try {
  config = readConfig()
  server = config.roles.includes('directory') ? await startDirectory(config) : await startServer(config)
  if (server.greeting) console.log(server.greeting)
  for (const notice of server.notices) console.log(notice)
  logWhatNobodyCatches(server)
  forgetStart()
  if (isStopping) void stop(server)
} catch (error) {
  console.error(explainStart(error, config))
  process.exit(1)
}

async function stop({ log, greeting, stop }: RunningServer) {
  if (greeting) console.log('Stopping …')
  else log.info('Stopping')
  try {
    await stop()
    process.exit(0)
  } catch (err) {
    log.fatal({ err }, 'Evac could not stop as it should')
    process.exit(1)
  }
}

/** What only the start needed is a quarter of the process. While the server is idle nothing would collect it. */
function forgetStart() {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
}

/** Node would write these to the terminal in a form of its own, with whatever the error quotes. */
function logWhatNobodyCatches({ log }: RunningServer) {
  process.removeAllListeners('warning')
  process.on('warning', (err) => log.warn({ err }, 'Node.js warning'))
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'A fault that nothing caught: the process ends')
    process.exit(1)
  })
}

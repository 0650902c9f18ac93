import { answersWords } from './command-words.ts'
import { type Config, readConfig } from './config.ts'
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
try {
  config = readConfig()
  const server = await startServer(config)
  console.log(server.greeting)
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      // a second signal changes nothing: the first is being obeyed, the database last
      if (!isStopping) void stop(server)
      isStopping = true
    })
} catch (error) {
  console.error(explainStart(error, config))
  process.exit(1)
}

async function stop(server: RunningServer) {
  console.log('Stopping …')
  try {
    await server.stop()
    process.exit(0)
  } catch (error) {
    console.error(error)
    process.exit(1)
  }
}

import { type Config, readConfig } from './config.ts'
import { type RunningServer, startServer } from './server.ts'
import { explainStart } from './start-trouble.ts'

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

import { type Config, ConfigError, readConfig } from './config.ts'
import { type RunningServer, startServer } from './server.ts'

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
  console.error(explain(error))
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

/** One sentence and the way out, for what goes wrong at a start. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  const { code, message, stack } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return `Port ${config?.port} is taken. Stop the other program, or choose another port: PORT=8081 npm start`
  if (code === 'EACCES') return `${message}. Choose a folder you may write to: DATA_DIR=/path npm start`
  return config?.logLevel === 'debug' ? String(stack) : `Evac could not start: ${message}`
}

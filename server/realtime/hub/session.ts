import type { WebSocket } from 'ws'
import { connect, refresh } from './authenticate.ts'
import { closeCodes, replyErrors } from './codes.ts'
import { type Command, parseCommands } from './commands.ts'
import type { Connection } from './connection.ts'
import { encodeError, encodeReply } from './frames.ts'
import type { HubContext } from './hub-context.ts'
import { readHistory, subscribe } from './subscribe.ts'

/** Reads one socket and answers its commands one by one, in order of arrival. */
export function answerCommands(hub: HubContext, connection: Connection, ws: WebSocket) {
  let queue = Promise.resolve()
  ws.on('message', (data, isBinary) => {
    if (connection.isClosed) return
    connection.awaitingPong = false
    const commands = isBinary ? null : tryParse(String(data))
    if (!commands) return connection.close(closeCodes.badRequest)
    if (!connection.rate.take(Math.max(1, commands.length))) return connection.close(closeCodes.tooManyRequests)
    for (const command of commands) {
      if (command.method !== 'pong') queue = queue.then(() => answer(hub, connection, command))
    }
  })
}

function tryParse(text: string): Command[] | null {
  try {
    return parseCommands(text)
  } catch {
    return null
  }
}

/** The only command allowed before connect is connect itself. */
async function answer(hub: HubContext, connection: Connection, command: Exclude<Command, { method: 'pong' }>) {
  if (connection.isClosed) return
  if (!connection.claims && command.method !== 'connect') return connection.close(closeCodes.badRequest)
  try {
    await run(hub, connection, command)
  } catch (error) {
    hub.log.error({ err: error, method: command.method }, 'A real-time command failed')
    connection.send(encodeError(command.id, replyErrors.internal))
  }
}

async function run(hub: HubContext, connection: Connection, command: Exclude<Command, { method: 'pong' }>) {
  const { id } = command
  switch (command.method) {
    case 'connect':
      return connect(hub, connection, id, command.token)
    case 'refresh':
      return refresh(hub, connection, id, command.token)
    case 'subscribe':
      return subscribe(hub, connection, command)
    case 'unsubscribe':
      hub.registry.unsubscribe(connection, command.channel)
      return connection.send(encodeReply(id, 'unsubscribe'))
    case 'history':
      return readHistory(hub, connection, command)
    case 'ping':
      return connection.send(encodeReply(id, 'ping'))
    case 'publish':
      return connection.send(encodeError(id, replyErrors.permissionDenied))
    case 'unknown':
      return connection.send(encodeError(id, replyErrors.methodNotFound))
  }
}

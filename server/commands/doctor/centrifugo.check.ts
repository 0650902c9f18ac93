import { randomUUID } from 'node:crypto'
import { WebSocket } from 'ws'
import type { Config } from '../../platform/config/config.ts'
import { openOutgoing } from '../../platform/outgoing.ts'
import { deriveSecrets, loadSecretKey } from '../../platform/secrets.ts'
import { Centrifugo } from '../../realtime/centrifugo/centrifugo.ts'
import { signCentrifugoTokens } from '../../realtime/hub/token.ts'
import { socketPath } from '../../realtime/realtime.ts'
import { type Finding, fault, good, note } from './finding.ts'

const patienceMs = 10_000
const silent = { debug() {}, info() {}, warn() {}, error() {} }
const advice = 'give it the file that `npm run doctor -- --centrifugo-config` prints, and restart it'

/** Checks Centrifugo as Evac and as a phone would use it. Publishes nothing. */
export async function checkCentrifugo(config: Config, address: NonNullable<Config['centrifugo']>): Promise<Finding[]> {
  const centrifugo = new Centrifugo(address, openOutgoing({ outgoingProxy: '' }), silent)
  try {
    return [await checkVersion(centrifugo), ...(await checkNamespaces(centrifugo)), await checkPhone(config, address)]
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error }
    return [fault(`Centrifugo does not work at ${address.url}: ${message}${cause ? ` (${cause.message})` : ''}`)]
  }
}

async function checkVersion(centrifugo: Centrifugo): Promise<Finding> {
  const { result } = await centrifugo.ask('info', {})
  const { nodes = [] } = (result ?? {}) as { nodes?: { version?: string }[] }
  const versions = [...new Set(nodes.map(({ version = '' }) => version))]
  const told = `Centrifugo answers: ${nodes.length} ${nodes.length === 1 ? 'node' : 'nodes'}, version ${versions.join(', ')}`
  if (versions.every((version) => version.startsWith('6.'))) return good(told)
  // built from source it does not know its version
  if (versions.every((version) => version.startsWith('0.0.0'))) return note(`${told}. It should be 6`)
  return fault(`${told}. Evac needs version 6`)
}

async function checkNamespaces(centrifugo: Centrifugo): Promise<Finding[]> {
  const checks = ['event', 'warden'].map(async (name) => {
    const failure = await centrifugo.check(`${name}:${randomUUID()}`).catch((error: Error) => error)
    return failure ? fault(`The namespace '${name}' does not work (${failure.message}): ${advice}`) : undefined
  })
  return (await Promise.all(checks)).filter((finding) => finding !== undefined)
}

interface Answers {
  connect?: object
  subscribe?: { recoverable?: boolean }
  /** To a subscribe without a token. */
  refused?: number
  closed?: number
}

/** Connects as a phone with a token of its own, and tries a channel without one. */
async function checkPhone(
  { appUrl, secretKey, dataDir }: Config,
  { publicUrl }: NonNullable<Config['centrifugo']>,
): Promise<Finding> {
  const [sub, channel] = [randomUUID(), `event:${randomUUID()}`]
  const key = deriveSecrets(loadSecretKey(secretKey, dataDir)).realtime
  const { token, channelTokens } = await signCentrifugoTokens(key, { sub, channels: [channel], sid: sub }, 60)
  const answers = await ask(publicUrl ?? appUrl.replace(/^http/, 'ws') + socketPath, appUrl, [
    { id: 1, connect: { token } },
    { id: 2, subscribe: { channel, token: channelTokens[channel], recover: false } },
    { id: 3, subscribe: { channel: `warden:${randomUUID()}` } },
  ])
  if (answers.closed === 3500) return fault(`Centrifugo does not accept the tokens of Evac: ${advice}`)
  if (!answers.connect) return fault(`Centrifugo lets no phone in (${answers.closed ?? 'no answer'}): ${advice}`)
  if (!answers.subscribe?.recoverable) return fault(`A phone that was away would miss what it missed: ${advice}`)
  if (answers.refused !== 103) return fault(`Centrifugo lets a phone follow any channel: ${advice}`)
  return good('A phone is let in by its token, and to its channels alone')
}

function ask(url: string, origin: string, commands: readonly object[]): Promise<Answers> {
  const socket = new WebSocket(url, { origin, handshakeTimeout: patienceMs })
  const answers: Answers = {}
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer)
      socket.terminate()
      done(answers)
    }
    const timer = setTimeout(end, patienceMs)
    socket.on('open', () => socket.send(commands.map((command) => JSON.stringify(command)).join('\n')))
    socket.on('error', end)
    socket.on('close', (code) => {
      answers.closed = code
      end()
    })
    socket.on('message', (text) => {
      for (const line of String(text).split('\n').filter(Boolean)) {
        const { id, error, connect, subscribe } = JSON.parse(line)
        if (connect) answers.connect = connect
        if (subscribe && id === 2) answers.subscribe = subscribe
        if (id === 3) answers.refused = error?.code
      }
      if (answers.refused !== undefined) end()
    })
  })
}

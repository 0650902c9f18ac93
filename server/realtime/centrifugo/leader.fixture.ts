import { onTestFinished } from 'vitest'
import type { OutgoingAnswer, OutgoingRequest } from '../../platform/outgoing.ts'
import type { Journal } from '../feed/feed.fixture.ts'
import { createPostgresWakeUp } from '../feed/wake-up.ts'
import { silent } from '../hub/hub.fixture.ts'
import { Centrifugo, type Command } from './centrifugo.ts'
import { Leader, type LeaderOptions } from './leader.ts'

type Publish = Extract<Command, { publish: unknown }>['publish'] & { data: { at?: number; refetch?: true } }

/** Stands where Centrifugo stands, and keeps what it takes. `npm run test:centrifugo` uses the real one. */
export class StandInCentrifugo {
  readonly taken: Command[] = []
  /** Not reachable at all. */
  isAway = false
  /** Fails single commands, each for as long as it says so. */
  fails: (command: Command) => boolean = () => false
  requests = 0
  /** By channel: what is not newer is dropped, as Centrifugo drops it. */
  readonly #newest = new Map<string, { version: number; epoch: string | undefined }>()

  callOut = async ({ url, body }: OutgoingRequest): Promise<OutgoingAnswer> => {
    this.requests += 1
    if (this.isAway) throw new Error('ECONNREFUSED')
    const { commands } = JSON.parse(String(body)) as { commands: Command[] }
    if (!url.endsWith('/api/batch')) throw new Error(`${url} is not expected`)
    const replies = commands.map((command) => {
      if (this.fails(command)) return { error: { code: 100, message: 'internal server error' } }
      this.#take(command)
      return {}
    })
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ replies })) }
  }

  published(channel: string) {
    return this.#publications().filter((one) => one.channel === channel)
  }

  channels = () => this.#publications().map(({ channel }) => channel)

  closed(user: string) {
    return this.taken.filter((command) => 'disconnect' in command && command.disconnect.user === user)
  }

  #publications() {
    return this.taken.flatMap((command) => ('publish' in command ? [command.publish as Publish] : []))
  }

  #take(command: Command) {
    if ('publish' in command) {
      const { channel, version, version_epoch: epoch } = command.publish
      const known = this.#newest.get(channel)
      if (version !== undefined && known?.epoch === epoch && version <= (known?.version ?? 0)) return
      if (version !== undefined) this.#newest.set(channel, { version, epoch })
    }
    this.taken.push(command)
  }
}

/** A process that may lead, and ends with the test. */
export function startLeader(journal: Journal, standIn: StandInCentrifugo, over: Partial<LeaderOptions> = {}) {
  const leader = new Leader({
    db: journal.system,
    connection: journal.connection,
    centrifugo: new Centrifugo({ url: 'http://centrifugo', apiKey: 'key' }, standIn.callOut, silent),
    wakeUp: createPostgresWakeUp(journal.connection, silent),
    log: silent,
    pollMs: 50,
    patienceMs: 300,
    ...over,
  })
  leader.start()
  onTestFinished(() => leader.stop())
  return leader
}

import { vi } from 'vitest'
import type { Publication } from '#features/live-updates/calls/realtime.ts'

interface Command {
  id?: number
  connect?: { token: string }
  refresh?: { token: string }
  subscribe?: { channel: string; token?: string; recover?: boolean }
}

/**
 * Takes the place of the browser's WebSocket at the outside edge and answers the official client in the Centrifugo
 * protocol (one JSON command per line). The real hub is met in the journeys. A token lives for `tokenSeconds`, if given.
 */
export function fakeSocket({ tokenSeconds }: { tokenSeconds?: number } = {}) {
  const expiry = tokenSeconds === undefined ? {} : { expires: true, ttl: tokenSeconds }
  const open = new Set<Connection>()
  const log = {
    urls: [] as string[],
    tokens: [] as string[],
    subscribed: [] as string[],
    channelTokens: [] as (string | undefined)[],
  }

  class Connection extends EventTarget {
    static readonly OPEN = 1
    readyState = 0
    binaryType = 'blob'
    onopen: (() => void) | null = null
    onmessage: ((event: { data: string }) => void) | null = null
    onclose: ((event: { code: number; reason: string }) => void) | null = null
    onerror: (() => void) | null = null

    constructor(url: string) {
      super()
      log.urls.push(url)
      queueMicrotask(() => {
        this.readyState = 1
        open.add(this)
        this.onopen?.()
      })
    }
    send(text: string) {
      for (const line of text.split('\n')) this.reply(JSON.parse(line))
    }
    reply({ id, connect, refresh, subscribe }: Command) {
      if (connect) {
        log.tokens.push(connect.token)
        this.push({ id, connect: { client: 'c1', version: 'fake', ping: 25, pong: true, ...expiry } })
      }
      if (refresh) {
        log.tokens.push(refresh.token)
        this.push({ id, refresh: { client: 'c1', version: 'fake' } })
      }
      if (subscribe) {
        log.subscribed.push(subscribe.channel)
        log.channelTokens.push(subscribe.token)
        this.push({ id, subscribe: { recoverable: true, positioned: true, epoch: 'e1', offset: 5, recovered: false } })
      }
    }
    push(message: object) {
      queueMicrotask(() => this.onmessage?.({ data: JSON.stringify(message) }))
    }
    close(code = 1000, reason = '') {
      if (this.readyState === 3) return
      this.readyState = 3
      open.delete(this)
      queueMicrotask(() => this.onclose?.({ code, reason }))
    }
  }
  vi.stubGlobal('WebSocket', Connection)

  return {
    ...log,
    connections: () => open.size,
    /** The transaction is the offset, as with the own hub, unless another is given, as with Centrifugo. */
    publish(channel: string, data: Publication, at: number, offset = at) {
      for (const connection of open) connection.push({ push: { channel, pub: { data: { ...data, at }, offset } } })
    },
    /** The server hangs up; codes from 3500 on mean for good. */
    hangUp(code: number) {
      for (const connection of open) connection.close(code, 'ended')
    },
  }
}

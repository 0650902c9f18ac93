import { ApiError } from '@evac/contract/client.ts'
import { limits } from '@evac/contract/limits.ts'
import type { getChannels, Publication } from '@evac/contract/realtime.ts'
import type { CallReply } from '@evac/contract/route.ts'
import { call } from '../session/api.ts'
import { getAuth, updateAuth } from '../session/stored-auth.ts'
import { connectionStore } from './connection-state.ts'

export interface FeedHandlers {
  onPublication: (publication: Publication) => void
  onGap: () => void
}
export interface Feed {
  /** Asks for the channel list now; an older question is cancelled (RT-14, RT-15). */
  check: () => void
  stop: () => void
}

/** Keeps the phone informed while a real-time page is open: by socket, or every 15 s by asking while there is none (RT-23). */
export function startFeed({ onPublication, onGap }: FeedHandlers): Feed {
  const life = new AbortController()
  let question = new AbortController()
  let followed = ''
  let close: (() => void) | undefined

  const hangUp = () => {
    close?.()
    close = undefined
    followed = ''
    connectionStore.set('Disconnected')
  }

  const renewToken = async () => {
    try {
      return (await call('GET /api/v2/warden/channel-token', {})).token
    } catch (error) {
      // Turned down, not unreachable: asking again would not help until the channel list says so.
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) return null
      throw error
    }
  }

  /** RT-19: real-time failing is never a message; the truth bar says that updates are late. */
  const check = async () => {
    question.abort()
    question = new AbortController()
    const { signal } = question
    try {
      const list = await call('GET /api/v2/warden/channels', {}, { signal })
      await (list.channels.length ? follow(list, signal) : leave(list, signal))
    } catch {}
  }

  const follow = async ({ channels, Warden_Sign_In_UID }: CallReply<typeof getChannels>, signal: AbortSignal) => {
    updateAuth({ WardenSignInUID: Warden_Sign_In_UID, on_duty: true })
    const wanted = [...channels].sort().join(' ')
    if (wanted === followed) return
    hangUp()
    connectionStore.set('Connecting')
    try {
      const { token, url } = await call('GET /api/v2/warden/channel-token', {}, { signal })
      // Loaded here, not with the first page: sign-in and the list do without it.
      const { openSocket } = await import('./realtime-socket.ts')
      signal.throwIfAborted()
      close = openSocket({
        url,
        token,
        channels,
        renewToken,
        onPublication,
        onGap,
        onState: connectionStore.set,
        onEnd,
      })
      followed = wanted
    } catch (error) {
      if (!signal.aborted) hangUp()
      throw error
    }
  }

  const leave = async ({ Warden_Sign_In_UID }: CallReply<typeof getChannels>, signal: AbortSignal) => {
    const wasOnDuty = getAuth()?.on_duty
    hangUp()
    // The event may have ended while this phone was away: the server still knows for some minutes. Until it has said so,
    // the sign-in stays: without one nobody would ask again.
    if (wasOnDuty && !(await poll(signal))) return
    signal.throwIfAborted()
    updateAuth({ WardenSignInUID: Warden_Sign_In_UID, on_duty: false })
    // What is on screen was read on duty.
    if (wasOnDuty) onGap()
  }

  /** Whether there is nothing more to be told. */
  const poll = async (signal: AbortSignal): Promise<boolean> => {
    if (!getAuth()?.WardenSignInUID) return true
    try {
      onPublication(await call('GET /api/v2/warden/eventpoll', {}, { signal }))
      return true
    } catch {
      return false
    }
  }

  const onEnd = () => {
    hangUp()
    void poll(life.signal)
  }

  const askInstead = async () => {
    if (connectionStore.get() === 'Connected' || !getAuth()?.WardenSignInUID) return
    await poll(life.signal)
    onGap()
  }

  const checking = setInterval(check, limits.channelPoll)
  const asking = setInterval(askInstead, limits.fallbackPoll)
  window.addEventListener('online', check, { signal: life.signal })

  return {
    check,
    stop() {
      clearInterval(checking)
      clearInterval(asking)
      question.abort()
      life.abort()
      hangUp()
    },
  }
}

import { createStore } from '../lib/store.ts'

/** The states of the real-time connection. */
export type ConnectionState = 'Connecting' | 'Connected' | 'Disconnected'

export const connectionStore = createStore<ConnectionState>('Disconnected')

/** The server says that changes have waited too long to be published: the socket is open, and nothing comes. */
export const lateStore = createStore(false)

export const connectionText: Record<ConnectionState, string> = {
  Connecting: 'Connecting...',
  Connected: 'Connected',
  Disconnected: 'Disconnected',
}

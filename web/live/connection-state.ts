import { createStore } from '../lib/store.ts'

/** RT-08: the states of the real-time connection. */
export type ConnectionState = 'Connecting' | 'Connected' | 'Disconnected'

export const connectionStore = createStore<ConnectionState>('Disconnected')

/** RT-07, AMB-017: the text for each state. */
export const connectionText: Record<ConnectionState, string> = {
  Connecting: 'Connecting...',
  Connected: 'Connected',
  Disconnected: 'Disconnected',
}

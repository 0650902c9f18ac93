import { phoneStorage } from '../lib/phone-storage.ts'
import { createStore } from '../lib/store.ts'

export const canStayAwake = 'wakeLock' in navigator

const key = 'screen'
/** On at first, kept on this phone. */
export const awakeStore = createStore(phoneStorage.get(key) !== 'may sleep')

export function chooseAwake(isOn: boolean) {
  awakeStore.set(isOn)
  if (isOn) phoneStorage.remove(key)
  else phoneStorage.set(key, 'may sleep')
}

/**
 * Keeps the screen awake until the returned function is called. The browser lets go whenever the page is hidden, so it
 * is asked again when the page is back. A refusal, such as for an empty battery, is accepted until then.
 */
export function keepAwake(): () => void {
  let lock: WakeLockSentinel | undefined
  let isAsking = false
  let isOver = false
  const take = async () => {
    if (isAsking || (lock && !lock.released) || document.visibilityState !== 'visible') return
    isAsking = true
    lock = await navigator.wakeLock.request('screen').catch(() => undefined)
    isAsking = false
    if (isOver) await lock?.release()
  }
  document.addEventListener('visibilitychange', take)
  void take()
  return () => {
    isOver = true
    document.removeEventListener('visibilitychange', take)
    void lock?.release()
  }
}

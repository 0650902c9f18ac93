import { phoneStorage } from '#web/lib/phone-storage.ts'
import { createStore } from '#web/lib/store.ts'
import { playTones, unlockSound } from '#web/live/alarm/alarm-sound.ts'

const key = 'boardSound'

/** Off until it is asked for, kept in this browser. 'blocked': chosen, but no one has pressed anything yet. */
export const boardSoundStore = createStore<'off' | 'on' | 'blocked'>(phoneStorage.get(key) === 'on' ? 'blocked' : 'off')

/** Opens the sound. Call by a press where that is possible: browsers allow it from then on. */
export async function openSound() {
  if (boardSoundStore.get() === 'off') return
  const context = await unlockSound()
  if (boardSoundStore.get() !== 'off') boardSoundStore.set(context?.state === 'running' ? 'on' : 'blocked')
}

export function chooseBoardSound(isOn: boolean) {
  if (isOn) phoneStorage.set(key, 'on')
  else phoneStorage.remove(key)
  boardSoundStore.set(isOn ? 'blocked' : 'off')
  void openSound()
}

/** Two tones. */
export async function soundBoard() {
  if (boardSoundStore.get() !== 'off') await playTones([740, 988])
}

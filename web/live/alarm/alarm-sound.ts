import { phoneStorage } from '../../lib/phone-storage.ts'
import { createStore } from '../../lib/store.ts'

export const canSound = 'AudioContext' in window

const key = 'alarmSound'
/** Another tab may have changed it. */
export const isSoundChosen = () => phoneStorage.get(key) === 'on'
let audio: AudioContext | undefined

const stateNow = () => (!isSoundChosen() ? 'off' : audio?.state === 'running' ? 'on' : 'blocked')
/** 'blocked': switched on, but the browser plays nothing before someone has tapped or pressed a key. */
export const alarmSoundStore = createStore<'off' | 'on' | 'blocked'>(stateNow())
const tell = () => alarmSoundStore.set(stateNow())

/** Off at first, kept on this phone. Call by a press: browsers allow sound from then on. */
export function chooseSound(isOn: boolean) {
  if (isOn) phoneStorage.set(key, 'on')
  else phoneStorage.remove(key)
  tell()
  if (isOn) void unlockSound()
}

/** Opens the sound at the first tap or key, if it is switched on. Returns a function that stops. */
export function unlockByGesture(): () => void {
  const life = new AbortController()
  const handle = () => {
    if (alarmSoundStore.get() === 'blocked') void unlockSound()
  }
  for (const gesture of ['pointerup', 'keydown']) window.addEventListener(gesture, handle, { signal: life.signal })
  return () => life.abort()
}

/** Three double tones of half a second, or nothing where the browser blocks them. */
export const soundAlarm = () => playTones([880, 660, 880, 660, 880, 660])

/** A tone each quarter of a second, in hertz. */
export async function playTones(pitches: readonly number[]) {
  const context = await unlockSound()
  if (context?.state !== 'running') return
  for (const [n, pitch] of pitches.entries()) playTone(context, pitch, n * 0.25)
}

export async function unlockSound(): Promise<AudioContext | undefined> {
  if (!canSound) return undefined
  audio ??= Object.assign(new AudioContext(), { onstatechange: tell })
  // Without a gesture the promise stays open.
  await Promise.race([audio.resume().catch(() => undefined), new Promise((done) => setTimeout(done, 500))])
  tell()
  return audio
}

function playTone(context: AudioContext, pitch: number, afterSeconds: number) {
  const from = context.currentTime + afterSeconds
  const tone = new OscillatorNode(context, { type: 'square', frequency: pitch })
  const volume = new GainNode(context, { gain: 0 })
  volume.gain.setValueAtTime(0.3, from)
  volume.gain.exponentialRampToValueAtTime(0.001, from + 0.22)
  tone.connect(volume).connect(context.destination)
  tone.start(from)
  tone.stop(from + 0.23)
}

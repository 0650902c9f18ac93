import { phoneStorage } from '../phone-storage.ts'

/** The same key as in public/boot.js, which makes the page dark before the first paint. */
const key = 'quiet'

/** This phone is where people hide. Stored, so that it is silent and dark before it has read anything. */
export const isQuiet = () => phoneStorage.get(key) === 'yes'

export function noteQuiet(isOn: boolean) {
  if (isOn) phoneStorage.set(key, 'yes')
  else phoneStorage.remove(key)
}

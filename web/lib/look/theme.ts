import { phoneStorage } from '../phone-storage.ts'
import { createStore } from '../store.ts'
import { isQuiet } from './quiet.ts'

export const themes = ['system', 'dark', 'light'] as const
export type Theme = (typeof themes)[number]

/** The same key as in public/boot.js, which applies the theme before the first paint. */
const key = 'theme'
const stored = phoneStorage.get(key)

export const themeStore = createStore<Theme>(stored === 'dark' || stored === 'light' ? stored : 'system')

/** Stores the choice on this phone. 'system' follows the phone's setting. */
export function chooseTheme(theme: Theme) {
  themeStore.set(theme)
  if (theme === 'system') phoneStorage.remove(key)
  else phoneStorage.set(key, theme)
  applyTheme()
}

/** Where people hide the screen is dark, whatever was chosen. */
export function applyTheme() {
  const theme = isQuiet() ? 'dark' : themeStore.get()
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
}

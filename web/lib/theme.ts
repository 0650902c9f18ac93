import { phoneStorage } from './phone-storage.ts'
import { createStore } from './store.ts'

export const themes = ['system', 'dark', 'light'] as const
export type Theme = (typeof themes)[number]

/** The same key as in public/boot.js, which applies the theme before the first paint. */
const key = 'theme'
const stored = phoneStorage.get(key)

export const themeStore = createStore<Theme>(stored === 'dark' || stored === 'light' ? stored : 'system')

/** Stores the choice on this phone. 'system' follows the phone's setting. */
export function chooseTheme(theme: Theme) {
  themeStore.set(theme)
  if (theme === 'system') {
    phoneStorage.remove(key)
    delete document.documentElement.dataset.theme
  } else {
    phoneStorage.set(key, theme)
    document.documentElement.dataset.theme = theme
  }
}

import { onTestFinished } from 'vitest'
import { cdp } from 'vitest/browser'

/** Draws the page as on paper, or in the colours of a contrast theme, until the test ends. */
export async function drawAs(look: 'print' | 'forced colours') {
  const media = look === 'print' ? look : ''
  const features = look === 'print' ? [] : [{ name: 'forced-colors', value: 'active' }]
  onTestFinished(async () => void (await cdp().send('Emulation.setEmulatedMedia', { media: '', features: [] })))
  await cdp().send('Emulation.setEmulatedMedia', { media, features })
}

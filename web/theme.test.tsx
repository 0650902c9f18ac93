import { expect, test } from 'vitest'
import { chooseTheme } from './lib/look/theme.ts'

type Rgb = [number, number, number]
const probe = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D

/** The colour a token has on screen now. */
function colourOf(token: string): Rgb {
  const box = document.body.appendChild(document.createElement('div'))
  box.style.backgroundColor = `var(--color-${token})`
  probe.fillStyle = getComputedStyle(box).backgroundColor
  probe.fillRect(0, 0, 1, 1)
  box.remove()
  const [r, g, b] = probe.getImageData(0, 0, 1, 1).data
  return [r ?? 0, g ?? 0, b ?? 0]
}
function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(colourOf(one)), luminance(colourOf(other))].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

const surfaces = ['canvas', 'surface', 'raised']
const inks = ['ink', 'muted', 'link', 'danger-ink', 'warning-ink']
const fills = ['safe', 'unknown', 'danger', 'green', 'red', 'yellow', 'orange', 'grey', 'blue']
const pairs: [string, string, number][] = [
  ...surfaces.flatMap((surface) => inks.map((ink): [string, string, number] => [ink, surface, 4.5])),
  ...fills.map((fill): [string, string, number] => [`on-${fill}`, fill, 4.5]),
  // Edges of controls (WCAG 1.4.11).
  ['line', 'canvas', 3],
  ['line', 'surface', 3],
]

test.each(['dark', 'light'] as const)('AMB-018 every pair of colours can be read in the %s theme', (theme) => {
  chooseTheme(theme)
  const tooWeak = pairs
    .map(([text, ground, wanted]) => ({ text, ground, wanted, measured: contrast(text, ground) }))
    .filter(({ wanted, measured }) => measured < wanted)
  expect(tooWeak).toEqual([])
})

const named = {
  green: [30, 126, 52],
  red: [200, 35, 51],
  yellow: [255, 193, 7],
  orange: [232, 89, 12],
  grey: [108, 117, 125],
  blue: [11, 94, 215],
}
test.each(Object.entries(named))('AMB-018 %s is the fixed colour', (token, rgb) => {
  expect(colourOf(token)).toEqual(rgb)
})

test('UI the chosen theme is kept on this phone, and the system decides again when asked to', () => {
  chooseTheme('light')
  expect([document.documentElement.dataset.theme, localStorage.getItem('theme')]).toEqual(['light', 'light'])
  expect(colourOf('canvas')).toEqual([243, 245, 248])

  chooseTheme('system')
  expect([document.documentElement.dataset.theme, localStorage.getItem('theme')]).toEqual([undefined, null])
})

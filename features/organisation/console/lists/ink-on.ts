/** WCAG 2.2: the share of light that the colour `#rrggbb` gives back, 0 to 1. */
function luminance(colour: string): number {
  const part = (at: number) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}

/** The contrast of two colours `#rrggbb`, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** Black or white, whichever is read better on the colour: one of them always reaches 4.5:1. */
export const inkOn = (colour: string): string =>
  contrast(colour, '#000000') >= contrast(colour, '#ffffff') ? '#000000' : '#ffffff'

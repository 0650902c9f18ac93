import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { create } from 'fontkit'

/** Stands for a character that no font has. */
const noGlyph = '□'
const invisible = /^[\p{Default_Ignorable_Code_Point}\n\t]$/u

/** The fonts of the folders: their family names, and whether one of them has a character. */
export interface Fonts {
  families: string[]
  has: (codePoint: number) => boolean
}

export async function openFonts(folders: readonly string[]): Promise<Fonts> {
  const families = new Set<string>()
  const known = new Set<number>()
  for (const folder of folders)
    for (const file of (await readdir(folder)).filter((name) => /\.(ttf|otf|ttc)$/i.test(name)).sort()) {
      const opened = create(await readFile(join(folder, file)))
      for (const font of 'fonts' in opened ? opened.fonts : [opened]) {
        families.add(font.familyName)
        for (const codePoint of font.characterSet) known.add(codePoint)
      }
    }
  return { families: [...families], has: (codePoint) => known.has(codePoint) }
}

/** Replaces what no font has, and remembers it. */
export class Drawable {
  readonly missing = new Set<string>()
  readonly #fonts: Fonts
  readonly #letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

  constructor(fonts: Fonts) {
    this.#fonts = fonts
  }

  /** The same value with every text drawable. */
  of<T>(value: T): T {
    if (typeof value === 'string') return this.#text(value) as T
    if (Array.isArray(value)) return value.map((each) => this.of(each)) as T
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.of(each)])) as T
  }

  #text(text: string): string {
    // most texts need no second look
    if (/^[\x20-\x7e\n]*$/.test(text)) return text
    return Array.from(this.#letters.segment(text), ({ segment }) => this.#letter(segment)).join('')
  }

  #letter(letter: string): string {
    const isDrawn = [...letter].every((each) => invisible.test(each) || this.#fonts.has(each.codePointAt(0) ?? 0))
    if (isDrawn || letter === noGlyph) return letter
    this.missing.add(letter)
    return noGlyph
  }
}

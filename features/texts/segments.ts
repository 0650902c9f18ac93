/** GSM 03.38: characters of one septet. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)

/** Characters behind the escape: two septets, which stay in one segment. */
const extension = new Set('\f^{}\\[~]|€')

/** Units of a single segment, and of each segment of a longer text, whose header takes six octets. */
const room = { gsm7: { single: 160, part: 153 }, ucs2: { single: 70, part: 67 } } as const

export type SmsEncoding = keyof typeof room

export interface SmsSegments {
  encoding: SmsEncoding
  /** The segments. Joined they are the text. An empty text has one empty segment. */
  segments: readonly string[]
  /** Units (septets or UTF-16 code units) used in the last segment, and its capacity. */
  used: number
  room: number
}

/** Twins of typographic signs in the basic alphabet. Letters have none: 'ń' is no 'n'. */
const twins: readonly (readonly [RegExp, string])[] = [
  [/[‘’‚‛′´`]/g, "'"],
  [/[“”„‟″«»]/g, '"'],
  [/[‐‑‒–—―−]/g, '-'],
  [/…/g, '...'],
  [/[\t\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' '],
  [/\p{Cf}/gu, ''],
]

/**
 * The text as it leaves: one typographic sign would more than double the segments of a text. If its twins do not make all of
 * it GSM-7, it leaves as it was written.
 */
export function asSent(text: string): string {
  if (encodingOf(text) === 'gsm7') return text
  const plain = twins.reduce((rest, [sign, twin]) => rest.replace(sign, twin), text)
  return encodingOf(plain) === 'gsm7' ? plain : text
}

/** GSM-7 if it has every character of the text, otherwise UCS-2 for the whole text. */
export function encodingOf(text: string): SmsEncoding {
  for (const character of text) if (!basic.has(character) && !extension.has(character)) return 'ucs2'
  return 'gsm7'
}

/**
 * Divides a text into segments. A segment never ends inside what a reader sees as one character (a surrogate pair, a
 * letter with its accents, a joined emoji), unless that alone is longer than a segment.
 */
export function segmentsOf(text: string): SmsSegments {
  const encoding = encodingOf(text)
  const { single, part } = room[encoding]
  const whole = unitsOf(text, encoding)
  if (whole <= single) return { encoding, segments: [text], used: whole, room: single }
  const segments = fill(pieces(text, encoding, part), encoding, part)
  return { encoding, segments, used: unitsOf(segments.at(-1) ?? '', encoding), room: part }
}

function unitsOf(text: string, encoding: SmsEncoding): number {
  if (encoding === 'ucs2') return text.length
  let units = 0
  for (const character of text) units += extension.has(character) ? 2 : 1
  return units
}

function fill(among: Iterable<string>, encoding: SmsEncoding, limit: number): string[] {
  const segments: string[] = []
  let current = ''
  let used = 0
  for (const piece of among) {
    const units = unitsOf(piece, encoding)
    if (used + units > limit) {
      segments.push(current)
      current = ''
      used = 0
    }
    current += piece
    used += units
  }
  return [...segments, current]
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The indivisible parts of a text: visible characters that fit into a segment, otherwise code points. */
function* pieces(text: string, encoding: SmsEncoding, limit: number): Iterable<string> {
  for (const { segment } of graphemes.segment(text)) {
    if (unitsOf(segment, encoding) <= limit) yield segment
    else yield* segment
  }
}

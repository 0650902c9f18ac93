import * as known from './danger-words.ts'
import { asSeen, fold, squeeze } from './fold.ts'

/**
 * What a text from a phone says. 'maybe': a word of danger, but each with a no before it. 'words': for a warden to read.
 * 'nothing': no letter, digit or picture.
 */
export type Answer = 'help' | 'maybe' | 'safe' | 'words' | 'nothing'

export interface Heard {
  /** The last message to the person asks for '1' or '2'. */
  asked: boolean
  /** What we have sent to the number in the event: phones quote it, and it names danger itself. */
  sent: readonly string[]
}

const readable = /[\p{L}\p{N}\p{Extended_Pictographic}\p{RI}]/u

/**
 * Reads a text of at most 1,600 characters. Danger is read generously and in many languages. "Safe" is read strictly, in
 * digits and English only: a list of doubtful words would never be complete ("cannot get down", "on the roof"), and a wrong
 * "safe" may cost a life.
 */
export function readAnswer(text: string, { asked, sent }: Heard): Answer {
  const own = withoutOurs(fold(text), sent)
  if (!readable.test(own)) return 'nothing'
  const clauses = own.replace(reactions, ' ').split(endsOfClauses).map(wordsOf)
  const words = clauses.flat()
  if (asked && words[0] === '2') return 'help'
  const danger = clauses.flatMap(dangersIn)
  if (danger.includes('sure')) return 'help'
  if (danger.length > 0) return 'maybe'
  // a question, or a text of which a part was lost, is no answer
  const isWhole = !/[?…؟]/u.test(own)
  return asked && isWhole && saysSafe(words) ? 'safe' : 'words'
}

/** A no counts up to the end of its clause. The dots of 's.o.s' and '1.5' end none. */
const endsOfClauses = /[,;:!?。、，！？،]+(?!\d)|\.+(?=\s|$|\p{L}{2})/u

/** Sent texts shorter than this are not cut out: 'Fire?' would take away the answer 'Fire'. */
const shortestQuote = 15
const reactions =
  /(?:^|\s)(?:liked|loved|disliked|laughed at|emphasi[sz]ed|questioned|reacted \S{1,20} to|removed an? \S+ from) "[^"]*"/gu

/** Both are folded. What stood in a link's place is not known here, so the words around it are cut one by one. */
function withoutOurs(folded: string, sent: readonly string[]): string {
  const quotes = sent
    .flatMap((text) => text.split('{link}'))
    .map(fold)
    .filter(({ length }) => length >= shortestQuote)
    .sort((a, b) => b.length - a.length)
  return quotes.reduce((rest, quote) => rest.replaceAll(quote, ' '), folded)
}

/** Words, numbers and pictures. Single letters in a row are one word. */
function wordsOf(clause: string): string[] {
  const parts = clause.match(/\p{L}[\p{L}\p{M}]*|\d+(?:[.,:]\d+)*|\p{Extended_Pictographic}/gu) ?? []
  const joined: string[] = []
  let wasSingle = false
  for (const part of parts) {
    const isSingle = /^\p{L}$/u.test(part)
    if (isSingle && wasSingle) joined[joined.length - 1] += part
    else joined.push(part)
    wasSingle = isSingle
  }
  return joined.map(squeeze)
}

const asRead = (words: readonly string[]) => words.map((word) => squeeze(fold(word)))
const listed = (text = '', between: string | RegExp = /\s+/) => text.trim().split(between).filter(Boolean)
const all = (column: keyof known.Language, between?: string | RegExp) =>
  Object.values(known.languages).flatMap((language) => listed(language[column], between))
const unspaced = /[\p{sc=Han}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u

const phrases = Map.groupBy(
  [...all('words').map((word) => [word]), ...all('phrases', ',').map((phrase) => listed(phrase))].map(asRead),
  ([first = '']) => first,
)
const noWords = new Set(asRead(all('noes')))
const [dangerParts, noParts] = [all('parts').map(fold), all('noParts').map(fold)]
const things = all('things', ',').map(fold)
/** Whole words and parts of words. */
const [namedThings, namedParts] = [
  things.filter((thing) => !unspaced.test(thing)).map((thing) => asRead(thing.split(' '))),
  things.filter((thing) => unspaced.test(thing)),
]
const [wanting, wanted, unable] = [known.wanting, known.wanted, known.unable].map(
  (words) => new Set(asRead(words)),
) as [Set<string>, Set<string>, Set<string>]
const unableTo = known.unableTo.map((words) => asRead(words.split(' ')))
const nearNo = 3

const isAt = (words: readonly string[], at: number, wanted: readonly string[]) =>
  at >= 0 && wanted.every((word, nth) => words[at + nth] === word)

/** The words of danger of one clause: doubtful with a no among the three words before, or 'out of'. */
function dangersIn(read: readonly string[]): ('sure' | 'doubtful')[] {
  // letters that look like others are read for danger alone, never for "safe"
  const words = read.map((word) => (noWords.has(word) || phrases.has(word) ? word : asSeen(word)))
  return words.flatMap((word, at) => {
    const certainty = isDanger(words, word, at) ? 'sure' : certaintyInWord(word)
    if (!certainty) return []
    const before = words.slice(Math.max(0, at - nearNo), at)
    const isDenied = before.some((one) => noWords.has(one)) || before.slice(-2).join(' ') === 'out of'
    return [isDenied ? ('doubtful' as const) : certainty]
  })
}

function isDanger(words: readonly string[], word: string, at: number): boolean {
  if (phrases.get(word)?.some((phrase) => isAt(words, at, phrase))) return !isOfThing(words, word, at)
  if (wanting.has(word)) return words.slice(at + 1, at + 5).some((one) => wanted.has(one))
  if (!unable.has(word) && !(word === 'can' && words[at + 1] === 'not')) return false
  const behind = words.slice(at + 1, at + 5)
  return unableTo.some((verb) => [0, 1, 2].some((from) => isAt(behind, from, verb)))
}

const isOfThing = (words: readonly string[], word: string, at: number) =>
  namedThings.some((thing) => thing.some((one, nth) => one === word && isAt(words, at - nth, thing)))

/** Where words are not parted, letters stand for words. Undefined if none is a part of this one. */
function certaintyInWord(word: string): 'sure' | 'doubtful' | undefined {
  const text = namedParts.reduce((rest, thing) => rest.replaceAll(thing, ' '), word)
  const found = dangerParts.flatMap((part) => {
    const at = text.indexOf(part)
    if (at < 0) return []
    const before = text.slice(Math.max(0, at - lettersNear(part)), at)
    return noParts.some((no) => before.includes(no)) ? ('doubtful' as const) : ('sure' as const)
  })
  return found.includes('sure') ? 'sure' : found[0]
}

/** Thai and its neighbours write vowels and tones as letters of their own. */
const lettersNear = (part: string) => (/[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u.test(part) ? 8 : nearNo)

/** The only words allowed beside "safe". */
const harmless = new Set(
  asRead(
    `safe ok okay yes fine good well thanks thank you 👍 👌 ✅ 🙏 i im am we are all and now
  at the in assembly area point gate car park carpark outside home`.split(/\s+/),
  ),
)

const saysSafe = ([first = '', ...more]: readonly string[]): boolean =>
  (first === '1' || first === 'safe') && more.every((word) => harmless.has(word))

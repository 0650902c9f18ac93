import * as known from './danger-words.ts'
import { fold, squeeze } from './fold.ts'

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
  const parts = clause.match(/\p{L}+|\d+(?:[.,:]\d+)*|\p{Extended_Pictographic}/gu) ?? []
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
const dangerWords = new Set(asRead(known.dangerWords))
const noWords = new Set(asRead(known.noWords))
const [dangerParts, noParts] = [known.dangerParts, known.noParts].map((parts) => parts.map((part) => fold(part))) as [
  string[],
  string[],
]
const [wanting, wanted, unable] = [known.wanting, known.wanted, known.unable].map(
  (words) => new Set(asRead(words)),
) as [Set<string>, Set<string>, Set<string>]
const namedThings = new Set(
  Object.entries(known.namedThings).flatMap(([word, things]) => asRead(things).map((thing) => `${word} ${thing}`)),
)
const unableTo = known.unableTo.map((words) => asRead(words.split(' ')))
const nearNo = 3

/** The words of danger of one clause: doubtful with a no among the three words before, or 'out of'. */
function dangersIn(words: readonly string[]): ('sure' | 'doubtful')[] {
  return words.flatMap((word, at) => {
    if (dangerParts.some((part) => word.includes(part))) return [certaintyInWord(word)]
    if (!isDanger(words, word, at)) return []
    const before = words.slice(Math.max(0, at - nearNo), at)
    const isDenied = before.some((one) => noWords.has(one)) || before.slice(-2).join(' ') === 'out of'
    return [isDenied ? ('doubtful' as const) : ('sure' as const)]
  })
}

function isDanger(words: readonly string[], word: string, at: number): boolean {
  if (dangerWords.has(word)) return !namedThings.has(`${word} ${words[at + 1]}`)
  if (wanting.has(word)) return words.slice(at + 1, at + 5).some((one) => wanted.has(one))
  if (!unable.has(word) && !(word === 'can' && words[at + 1] === 'not')) return false
  const behind = words.slice(at + 1, at + 5)
  return unableTo.some((verb) => [0, 1, 2].some((from) => verb.every((part, nth) => behind[from + nth] === part)))
}

/** Where words are not parted, three letters stand for three words. */
function certaintyInWord(word: string): 'sure' | 'doubtful' {
  const at = Math.min(...dangerParts.map((part) => word.indexOf(part)).filter((found) => found >= 0))
  const before = word.slice(Math.max(0, at - nearNo), at)
  return noParts.some((part) => before.includes(part)) ? 'doubtful' : 'sure'
}

/** The only words allowed beside "safe". */
const harmless = new Set(
  asRead(
    `safe ok okay yes fine good well thanks thank you 👍 👌 ✅ 🙏 i im am we are all and now
  at the in assembly area point gate car park carpark outside home`.split(/\s+/),
  ),
)

const saysSafe = ([first = '', ...more]: readonly string[]): boolean =>
  (first === '1' || first === 'safe') && more.every((word) => harmless.has(word))

/** The status in a reply to a message with an automated response. Undefined leaves the reply to a warden. */
export function readAnswer(text: string): 'safe' | 'danger' | undefined {
  const answer = text.toLowerCase()
  if (/^[\s\p{P}\p{S}]*(?:2(?!\d)|danger\b|help\b)/u.test(answer)) return 'danger'
  const [first = '', ...more] = wordsOf(answer)
  return (first === '1' || first === 'safe') && !/[?…]/.test(answer) && more.every(isHarmless) ? 'safe' : undefined
}

/** Words and emoji. "I'm" becomes "im" with any apostrophe. */
const wordsOf = (answer: string) =>
  answer.replace(/(?<=\p{L})['’‘´`](?=\p{L})/gu, '').match(/[\p{L}\p{N}]+|\p{Extended_Pictographic}/gu) ?? []

/**
 * The only words allowed beside "safe". A list of doubtful words would never be complete ("cannot get down", "on the
 * roof", "with a burnt hand"). A wrong "safe" may cost a life. A reply that a warden has to read costs a minute.
 */
const harmless = new Set(
  `safe ok okay yes fine good well thanks thank you 👍 👌 ✅ 🙏 i im am we are all and now
  at the in assembly area point gate car park carpark outside home`.split(/\s+/),
)
const isHarmless = (word: string) => harmless.has(word)

/** STOP and START as carriers define them: the single word. */
export function readRefusal(text: string): 'stop' | 'start' | undefined {
  const word = text.replace(/[\s\p{P}]+/gu, '').toLowerCase()
  if (['stop', 'stopall', 'unsubscribe', 'cancel', 'end', 'quit'].includes(word)) return 'stop'
  return ['start', 'unstop'].includes(word) ? 'start' : undefined
}

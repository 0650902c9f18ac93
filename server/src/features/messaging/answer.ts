/** AMB-130: what a reply to a message with an automated response says of its sender; undefined leaves it to a warden. */
export function readAnswer(text: string): 'safe' | 'danger' | undefined {
  const answer = text.toLowerCase()
  if (/^[\s\p{P}\p{S}]*(?:2(?!\d)|danger\b|help\b)/u.test(answer)) return 'danger'
  const [first = '', ...more] = wordsOf(answer)
  return (first === '1' || first === 'safe') && !/[?…]/.test(answer) && more.every(isHarmless) ? 'safe' : undefined
}

/** Emoji among them; "I'm" is "im", however the apostrophe is typed. */
const wordsOf = (answer: string) =>
  answer.replace(/(?<=\p{L})['’‘´`](?=\p{L})/gu, '').match(/[\p{L}\p{N}]+|\p{Extended_Pictographic}/gu) ?? []

/**
 * What may stand beside a "safe", and nothing else may: doubt has more words than any list of them ("cannot get down",
 * "on the roof", "with a burnt hand"). A wrong "safe" may cost a life, one that a warden has to read costs a minute.
 */
const harmless = new Set(
  `safe ok okay yes fine good well thanks thank you 👍 👌 ✅ 🙏 i im am we are all and now
  at the in assembly area point gate car park carpark outside home`.split(/\s+/),
)
const isHarmless = (word: string) => harmless.has(word)

/** STOP and START as carriers know them: the word alone. */
export function readRefusal(text: string): 'stop' | 'start' | undefined {
  const word = text.replace(/[\s\p{P}]+/gu, '').toLowerCase()
  if (['stop', 'stopall', 'unsubscribe', 'cancel', 'end', 'quit'].includes(word)) return 'stop'
  return ['start', 'unstop'].includes(word) ? 'start' : undefined
}

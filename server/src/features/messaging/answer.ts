/** AMB-130: what a reply to a message with an automated response says of its sender; undefined leaves it to a warden. */
export function readAnswer(text: string): 'safe' | 'danger' | undefined {
  const words = text
    .trim()
    .toLowerCase()
    .replace(/^[\s\p{P}\p{S}]+/u, '')
  if (/^(?:2(?!\d)|danger\b|help\b)/.test(words)) return 'danger'
  return saysSafe(words) && !doubts.test(words) ? 'safe' : undefined
}

/** '1', '1.', '1 - at the gate', '1 ok', 'Safe at the gate'; not '10 of us', nor '1 person is missing'. */
const saysSafe = (words: string) => /^(?:1\s*(?:$|[^\s\w]|safe\b|ok\b|okay\b|yes\b|thanks\b)|safe\b)/.test(words)

/** A wrong "safe" may cost a life, one that a warden has to read costs a minute. */
const doubts =
  /n['’]t\b|\b(?:not?|never|nobody|but|only|except|unsafe|danger|help|need|needs|trapped|stuck|lost|missing|hurt|injured|bleeding|fire|smoke|blocked|locked|way|exit|room|where|until|soon|almost)\b|\?/

/** STOP and START as carriers know them: the word alone. */
export function readRefusal(text: string): 'stop' | 'start' | undefined {
  const word = text.replace(/[\s\p{P}]+/gu, '').toLowerCase()
  if (['stop', 'stopall', 'unsubscribe', 'cancel', 'end', 'quit'].includes(word)) return 'stop'
  return ['start', 'unstop'].includes(word) ? 'start' : undefined
}

/** STOP and START as carriers define them: the single word. */
export function readRefusal(text: string): 'stop' | 'start' | undefined {
  const word = text.replace(/[\s\p{P}]+/gu, '').toLowerCase()
  if (['stop', 'stopall', 'unsubscribe', 'cancel', 'end', 'quit'].includes(word)) return 'stop'
  return ['start', 'unstop'].includes(word) ? 'start' : undefined
}

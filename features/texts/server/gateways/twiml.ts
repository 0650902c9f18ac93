import VoiceResponse from 'twilio/lib/twiml/VoiceResponse.js'

const keySeconds = 8

/** The answer to Twilio that says the words twice and waits for one key, which is sent to the address. The SDK escapes the words. */
export function askForKey(words: string, address: string): string {
  const response = new VoiceResponse()
  const gather = response.gather({ numDigits: 1, timeout: keySeconds, action: address, method: 'POST' })
  gather.say(words)
  gather.say(words)
  return response.toString()
}

/** The answer that says the words and hangs up. */
export function sayOnce(words: string): string {
  const response = new VoiceResponse()
  response.say(words)
  return response.toString()
}

/** The answer that ends the call. */
export const hangUp = (): string => new VoiceResponse().toString()

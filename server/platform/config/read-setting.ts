type Env = NodeJS.ProcessEnv

/** An unusable setting. The message names the setting and the allowed values. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** Reads settings one by one and collects all errors, so that they are reported at once. */
export function collectProblems() {
  const problems: string[] = []
  return {
    /** Returns the result of `work`, or `otherwise` if it throws a ConfigError. */
    read<T>(work: () => T, otherwise: T): T {
      try {
        return work()
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error
        problems.push(error.message)
        return otherwise
      }
    },
    /** Throws if there were errors. `hints` follow them. */
    throwAll(hints: readonly string[] = []) {
      if (problems.length > 0) throw new ConfigError([...problems, ...hints].join('\n'))
    },
  }
}

/** An address without a path, because paths are appended to it. */
export function readAddress(name: string, text: string): string {
  // without the https:// check, URL.canParse accepts a bare host and port
  if (/^https?:\/\/[^/]+\/?$/.test(text) && URL.canParse(text)) return text.replace(/\/$/, '')
  throw new ConfigError(`${name} is '${text}': use an address such as https://evac.example, without a path.`)
}

export function readCount(env: Env, name: string, least: 0 | 1 = 1): number | undefined {
  const text = env[name]
  if (!text) return undefined
  if (!/^\d{1,9}$/.test(text) || Number(text) < least)
    throw new ConfigError(`${name} is '${text}': use a whole number from ${least}.`)
  return Number(text)
}

export function readWord(env: Env, name: string, words: readonly string[]): string | undefined {
  const text = env[name]
  if (text && !words.includes(text)) throw new ConfigError(`${name} is '${text}': use one of ${words.join(', ')}.`)
  return text || undefined
}

export function required(env: Env, name: string, what: string): string {
  const value = env[name]
  if (!value) throw new ConfigError(`${name} is missing: set it to ${what}.`)
  return value
}

/** Decodes percent signs in one part of an address. The part may be a password: errors never repeat it. */
export function readPart(name: string, part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new ConfigError(`${name} contains a % without two hexadecimal digits: write %25 for a percent sign.`)
  }
}

export const keyWanted = '32 or more random characters, such as the output of `openssl rand -base64 33`'

/** Detects repeated letters or words, alphabet rows and number sequences: long keys with little entropy. */
export function canBeGuessed(key: string): boolean {
  const isRow = (at: number) => Math.abs(key.charCodeAt(at) - key.charCodeAt(at - 1)) <= 1
  const inRows = Array.from(key, (_, at) => at > 0 && isRow(at)).filter(Boolean).length
  const isRepeated = Array.from(key, (_, at) => at + 1).some(
    (at) => at <= key.length / 2 && key.startsWith(key.slice(at)),
  )
  return key.length < 32 || new Set(key).size < 8 || inRows > key.length / 2 || isRepeated
}

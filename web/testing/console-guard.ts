const write = console.error
let unexpected: string[] = []
let allowed = false

/** From here on console.error is collected; `takeErrors` hands out what came unannounced. */
export function guardConsole() {
  unexpected = []
  allowed = false
  console.error = (...parts: unknown[]) => {
    if (!allowed) unexpected.push(parts.map(String).join(' '))
    else return
    write(...parts)
  }
}

/** For a test whose subject breaks on purpose. */
export const allowConsoleErrors = () => {
  allowed = true
}

export function takeErrors(): string[] {
  console.error = write
  return unexpected
}

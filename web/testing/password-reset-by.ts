import { onTestFinished } from 'vitest'

/** What the served page says of password resets, for one test. */
export function givenPasswordResetBy(content: string) {
  const meta = Object.assign(document.createElement('meta'), { name: 'password-reset', content })
  document.head.append(meta)
  onTestFinished(() => meta.remove())
}

import { printing } from '../kinds.ts'

/** Milliseconds that the page may take to open. */
const patience = 15_000

/**
 * Opens the pack in a window of its own as the phone that prints, and prints it when it is there. The page itself has no
 * script.
 */
export function printPack(address: string): void {
  const page = window.open('', '_blank')
  if (!page) return
  const form = page.document.createElement('form')
  form.method = 'post'
  form.action = new URL(address).pathname
  const name = page.document.createElement('input')
  name.type = 'hidden'
  name.name = 'name'
  name.value = printing
  form.append(name)
  page.document.body.append(form)
  form.submit()
  const since = Date.now()
  const timer = setInterval(() => {
    const isThere = !page.closed && page.document.readyState === 'complete' && page.document.querySelector('dl.totals')
    if (isThere) page.print()
    if (isThere || page.closed || Date.now() - since > patience) clearInterval(timer)
  }, 200)
}

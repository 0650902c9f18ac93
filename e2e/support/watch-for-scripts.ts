import type { Page } from '@playwright/test'

/** Notes every script that runs or that the content security policy stops. Returns the list, which must stay empty. */
export async function watchForScripts(page: Page): Promise<string[]> {
  const seen: string[] = []
  page.on('dialog', (dialog) => {
    seen.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (/evil\.test/.test(request.url())) seen.push(`asked for ${request.url()}`)
  })
  await page.exposeFunction('noteViolation', (what: string) => void seen.push(what))
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
      (window as unknown as { noteViolation: (what: string) => void }).noteViolation(
        `${violatedDirective} stopped ${blockedURI} ${sample}`,
      ),
    )
  })
  return seen
}

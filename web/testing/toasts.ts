/** Toasts outlive the page that raised them and would lie over the next one. */
export function dismissToasts() {
  for (const button of document.querySelectorAll<HTMLElement>('button[aria-label=Dismiss]')) button.click()
}

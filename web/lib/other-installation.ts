/** Apart from `browser`, because only sign-in pages need it. An object, so that tests can observe it instead of leaving the page. */
export const otherInstallation = {
  /** Goes to the same page there, with nothing else. Never ends. */
  goTo(address: string): Promise<never> {
    window.location.assign(address + window.location.pathname)
    return new Promise(() => undefined)
  },
}

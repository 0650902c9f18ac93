/** Full page loads in one place, so that tests can watch them instead of leaving the page. */
export const browser = {
  /** AMB-011: the program starts anew with the identity that is stored now. */
  load(path: string) {
    window.location.assign(path)
  },
  /** Only once the server answers: a reload without signal would lose the page that is on screen. */
  async reloadWhenReachable() {
    const answer = await fetch('/', { cache: 'reload' }).catch(() => null)
    if (answer?.ok) window.location.reload()
  },
}

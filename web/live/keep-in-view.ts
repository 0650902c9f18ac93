/**
 * For the `ref` of what is pinned below the bar. Sets `--head` and `--pushed`: nothing that gets the focus ends up behind
 * the head, and no keyboard pushes the head out.
 */
export function keepInView(head: HTMLElement | null) {
  if (!head) return
  const { style } = document.documentElement
  const measure = () => {
    style.setProperty('--head', `${head.offsetHeight}px`)
    style.setProperty('--pushed', `${visualViewport?.scale === 1 ? visualViewport.offsetTop : 0}px`)
  }
  const observer = new ResizeObserver(measure)
  observer.observe(head)
  visualViewport?.addEventListener('resize', measure)
  visualViewport?.addEventListener('scroll', measure)
  return () => {
    observer.disconnect()
    visualViewport?.removeEventListener('resize', measure)
    visualViewport?.removeEventListener('scroll', measure)
    style.removeProperty('--head')
    style.removeProperty('--pushed')
  }
}

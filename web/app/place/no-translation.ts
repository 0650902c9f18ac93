import { useEffect } from 'react'

/**
 * Keeps the browser's translator off a live page. The translator puts its own text in place of what React drew, so a figure
 * or a status would stop changing while the page says that it is connected.
 */
export function useNoTranslation() {
  useEffect(() => {
    const root = document.documentElement
    const meta = Object.assign(document.createElement('meta'), { name: 'google', content: 'notranslate' })
    root.setAttribute('translate', 'no')
    document.head.append(meta)
    return () => {
      root.removeAttribute('translate')
      meta.remove()
    }
  }, [])
}

import type { ComponentProps, MouseEvent } from 'react'
import { usePathname } from 'wouter/use-browser-location'
import { navigate } from '../pages/navigate.ts'
import type { Address } from '../pages/pages.ts'

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  to: Address
  /** State that the next page reads from the navigation. */
  state?: unknown
}

/** A press that asks for another tab or window, or for a download, is the browser's. */
const isPlain = ({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent) =>
  button === 0 && !(metaKey || altKey || ctrlKey || shiftKey)

/** A link inside the app. */
export function Link({ to, state, onClick, ...rest }: LinkProps) {
  const pathname = usePathname()
  const follow = (event: MouseEvent) => {
    event.preventDefault()
    // the page that is open does not stand twice in the history
    navigate(to, { state, replace: to === location.pathname + location.search })
  }
  return (
    <a
      aria-current={pathname === to ? 'page' : undefined}
      {...rest}
      href={to}
      onClick={(event) => {
        onClick?.(event)
        if (!event.defaultPrevented && isPlain(event)) follow(event)
      }}
    />
  )
}

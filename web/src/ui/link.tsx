import type { ComponentProps } from 'react'
import { useHref, useLinkClickHandler, useLocation } from 'react-router'

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  to: string
  /** State that the next page reads from the navigation. */
  state?: unknown
}

/** A link inside the app. React Router's own link includes its prefetching: 4 kB gz before the first screen. */
export function Link({ to, state, onClick, ...rest }: LinkProps) {
  const href = useHref(to)
  const { pathname } = useLocation()
  const follow = useLinkClickHandler(to, { state })
  return (
    <a
      aria-current={pathname === to ? 'page' : undefined}
      {...rest}
      href={href}
      onClick={(event) => {
        onClick?.(event)
        if (!event.defaultPrevented) follow(event)
      }}
    />
  )
}

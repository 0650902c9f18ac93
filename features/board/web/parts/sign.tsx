import type { ReactElement } from 'react'

const shapes = {
  alert: <path d="M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20M12 7v6m0 3.6v.1" />,
  ask: <path d="M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20M9.2 9a3 3 0 0 1 5.8 1c0 2-3 2.6-3 4m0 3.3v.1" />,
  ok: <path d="M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20m-4 10.3 2.8 2.8L16.2 9" />,
  dot: <path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18" />,
  half: (
    <>
      <path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18" />
      <path d="M12 3a9 9 0 0 1 0 18z" fill="currentColor" />
    </>
  ),
  plan: <path d="M11 2a2 2 0 1 0 0 4 2 2 0 0 0 0-4m0 6v6h5l3 6M9 11.5a5.5 5.5 0 1 0 7 7" />,
  message: <path d="M4 5h16v11H9l-5 4z" />,
  failed: <path d="M3 5h18v14H3zm0 1 9 7 9-7m-5 8 5 5m0-5-5 5" />,
  gap: <path d="M10 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M3 20c0-4 3-6 7-6m6 1 5 5m0-5-5 5" />,
  conflict: <path d="M4 8h13l-3-3m6 11H7l3 3" />,
  /** A lifebuoy: a call for help. */
  help: (
    <path d="M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20m0 6a4 4 0 1 0 0 8 4 4 0 0 0 0-8M5 5l4.2 4.2m5.6 5.6L19 19M19 5l-4.2 4.2m-5.6 5.6L5 19" />
  ),
  flag: <path d="M5 21V4h13l-3 4.5L18 13H5" />,
  refused: <path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M6 6l12 12" />,
} satisfies Record<string, ReactElement>

export type SignName = keyof typeof shapes

/** The shape itself: for a reference (`use`) the browser makes a shadow tree with a copy of the shape. */
export const Sign = ({ name }: { name: SignName }) => (
  <svg className="bd-sign" viewBox="0 0 24 24" aria-hidden>
    {shapes[name]}
  </svg>
)

/** The product's logo: an exit. Same drawing as public/favicon.svg. */
export function Logo({ size = 36 }: { size?: number }) {
  return (
    <svg viewBox="0 0 64 64" width={size} height={size} aria-hidden="true">
      <rect width="64" height="64" rx="15" fill="#0f2a3d" />
      <g fill="none" strokeLinecap="round" strokeLinejoin="round" strokeWidth="6">
        <path d="M34 13H20a4 4 0 0 0-4 4v30a4 4 0 0 0 4 4h14" stroke="#f7f9fc" />
        <path d="M28 32h23M42 22l10 10-10 10" stroke="#3ddc84" />
      </g>
    </svg>
  )
}
